#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What an entry of the tape is. */
enum {
    STAPE_NULL = 0,
    STAPE_FALSE = 1,
    STAPE_TRUE = 2,
    STAPE_INT64 = 3,  /* value: the two's complement bits */
    STAPE_UINT64 = 4, /* value: a number above INT64_MAX */
    STAPE_DOUBLE = 5, /* value: the IEEE 754 bits */
    STAPE_STRING = 6, /* value: address of UTF-8 bytes, length: their number */
    STAPE_KEY = 7,    /* the same; the entry after it begins the member's value */
    STAPE_ARRAY = 8,  /* value: index just after the last element, length: number of elements */
    STAPE_OBJECT = 9, /* value: index just after the last member, length: number of members */
};

typedef struct {
    uint32_t kind;
    uint32_t length;
    uint64_t value;
} stape_entry;

/* Why a document was refused. */
enum {
    STAPE_OK = 0,
    STAPE_EMPTY = 1,
    STAPE_SYNTAX = 2,
    STAPE_UTF8 = 3,
    STAPE_NUMBER = 4,
    STAPE_DEPTH = 5,
    STAPE_TOO_LARGE = 6,
    STAPE_MEMORY = 7,
    STAPE_INTERNAL = 8,
};

typedef struct {
    const stape_entry *entries;
    size_t count;
    void *owner; /* give it to stape_release, whatever `error` is */
    int32_t error;
} stape_result;

/* Parses one whole document. The entries and the strings they point to live until stape_release.
   Containers may nest `depth` levels. Never throws. */
stape_result stape_parse(const uint8_t *bytes, size_t count, size_t depth);

/* Must be called once per stape_parse. */
void stape_release(void *owner);

#ifdef __cplusplus
}
#endif
