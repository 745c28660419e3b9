#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The functions of the toolchain's libIndexStore that tests look up by name, by their shape. Not every toolchain has the
// header, so that the library is opened when a test runs.

typedef struct {
    const char *_Nullable data;
    size_t length;
} index_text;

typedef void *_Nullable (*index_open)(const char *_Nonnull path, void *_Nullable *_Nullable error);
typedef void *_Nullable (*index_read)(void *_Nonnull store, const char *_Nonnull name, void *_Nullable *_Nullable error);
typedef void (*index_close)(void *_Nonnull part);
typedef bool (*index_units)(
    void *_Nonnull store, unsigned sorted, void *_Nonnull context, bool (*_Nonnull each)(void *_Nonnull context, index_text name));
typedef bool (*index_parts)(
    void *_Nonnull reader, void *_Nonnull context, bool (*_Nonnull each)(void *_Nonnull context, void *_Nonnull part));
typedef index_text (*index_text_of)(void *_Nonnull part);
typedef uint64_t (*index_number_of)(void *_Nonnull part);
typedef void *_Nonnull (*index_part_of)(void *_Nonnull part);
