#pragma once
#include <limits.h>
#include <zlib.h>

/* deflateInit2 is a macro, which Swift cannot call.
   Compresses `count` bytes to gzip. Returns the bytes written, or 0 when they do not fit in `capacity`. */
static inline size_t czlib_gzip(const void *bytes, size_t count, void *target, size_t capacity, int level) {
  z_stream stream = {0};
  if (count > UINT_MAX || capacity > UINT_MAX) return 0;
  if (deflateInit2(&stream, level, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK) return 0;
  stream.next_in = (Bytef *)bytes;
  stream.avail_in = (uInt)count;
  stream.next_out = (Bytef *)target;
  stream.avail_out = (uInt)capacity;
  int code = deflate(&stream, Z_FINISH);
  size_t written = code == Z_STREAM_END ? stream.total_out : 0;
  deflateEnd(&stream);
  return written;
}
