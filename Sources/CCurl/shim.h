#pragma once
#define CURL_DISABLE_TYPECHECK
#include <stdbool.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <curl/curl.h>

/* curl_easy_setopt, curl_multi_setopt and curl_easy_getinfo are variadic, which Swift cannot call: here is a function for each
   kind of value. */
static inline CURLcode ccurl_set_number(CURL *easy, CURLoption option, long value) {
  return curl_easy_setopt(easy, option, value);
}
static inline CURLcode ccurl_set_size(CURL *easy, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(easy, option, value);
}
/* libcurl copies the text. */
static inline CURLcode ccurl_set_text(CURL *easy, CURLoption option, const char *value) {
  return curl_easy_setopt(easy, option, value);
}
/* libcurl copies the bytes, not the list. */
static inline CURLcode ccurl_set_body(CURL *easy, const void *bytes, size_t count) {
  CURLcode code = curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)count);
  return code ? code : curl_easy_setopt(easy, CURLOPT_COPYPOSTFIELDS, count ? bytes : "");
}
static inline CURLcode ccurl_set_headers(CURL *easy, struct curl_slist *headers) {
  return curl_easy_setopt(easy, CURLOPT_HTTPHEADER, headers);
}
static inline CURLMcode ccurl_multi_set_number(CURLM *multi, CURLMoption option, long value) {
  return curl_multi_setopt(multi, option, value);
}
static inline long ccurl_status(CURL *easy) {
  long status = 0;
  curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
  return status;
}

/* Sockets that the children of the process do not inherit. */
static inline curl_socket_t ccurl_open(void *context, curlsocktype purpose, struct curl_sockaddr *address) {
  (void)context, (void)purpose;
  return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

/* What libcurl calls, each with `context`: with each line of a head, with each piece of a body, and before each sending of the
   request. */
static inline void ccurl_call(CURL *easy, curl_write_callback head, curl_write_callback body, curl_prereq_callback before,
    void *context) {
  curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, ccurl_open);
  curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, head);
  curl_easy_setopt(easy, CURLOPT_HEADERDATA, context);
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, body);
  curl_easy_setopt(easy, CURLOPT_WRITEDATA, context);
  curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, before);
  curl_easy_setopt(easy, CURLOPT_PREREQDATA, context);
}
/* The same of a request whose body is read: for the next piece, for another place in it, and when some of it has gone. */
static inline void ccurl_call_upload(CURL *easy, curl_read_callback read, curl_seek_callback seek,
    curl_xferinfo_callback sent, void *context) {
  curl_easy_setopt(easy, CURLOPT_READFUNCTION, read);
  curl_easy_setopt(easy, CURLOPT_READDATA, context);
  curl_easy_setopt(easy, CURLOPT_SEEKFUNCTION, seek);
  curl_easy_setopt(easy, CURLOPT_SEEKDATA, context);
  curl_easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, sent);
  curl_easy_setopt(easy, CURLOPT_XFERINFODATA, context);
  curl_easy_setopt(easy, CURLOPT_NOPROGRESS, 0L);
}

/* The next transfer that is over, and how it went. */
static inline bool ccurl_next_ended(CURLM *multi, CURL **easy, CURLcode *code) {
  int rest = 0;
  CURLMsg *message;
  while ((message = curl_multi_info_read(multi, &rest))) {
    if (message->msg != CURLMSG_DONE) continue;
    *easy = message->easy_handle;
    *code = message->data.result;
    return true;
  }
  return false;
}

/* prctl is variadic as well: what tools call the calling thread, at most 15 bytes. */
static inline void ccurl_name_thread(const char *name) { prctl(PR_SET_NAME, name, 0L, 0L, 0L); }
