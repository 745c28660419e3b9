#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>
#include <openssl/sha.h>
#include <openssl/crypto.h>
#include <openssl/bio.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

/// Makes a key pair on P-256; a macro over a variadic function.
static inline EVP_PKEY *copenssl_p256(void) { return EVP_EC_gen("P-256"); }
