#include "simdjson_tape.h"

#include <cstring>
#include <memory>
#include <new>
#include <string_view>
#include <vector>

#include <simdjson.h>

namespace {

using simdjson::dom::element_type;

// A parser and the tape of its last document.
struct Tape {
    simdjson::dom::parser parser;
    std::vector<stape_entry> entries;

    void add(uint32_t kind, uint32_t length, uint64_t value) { entries.push_back({kind, length, value}); }

    void add(uint32_t kind, std::string_view text) {
        add(kind, static_cast<uint32_t>(text.size()), reinterpret_cast<uint64_t>(text.data()));
    }

    void close(size_t start, uint32_t count) {
        entries[start].length = count;
        entries[start].value = entries.size();
    }

    // Recursion is bounded: the parser has refused deeper documents.
    void walk(simdjson::dom::element element) {
        switch (element.type()) {
        case element_type::OBJECT: {
            const size_t start = entries.size();
            uint32_t count = 0;
            add(STAPE_OBJECT, 0, 0);
            for (auto member : element.get_object().value_unsafe()) {
                add(STAPE_KEY, member.key);
                walk(member.value);
                count++;
            }
            close(start, count);
            break;
        }
        case element_type::ARRAY: {
            const size_t start = entries.size();
            uint32_t count = 0;
            add(STAPE_ARRAY, 0, 0);
            for (auto item : element.get_array().value_unsafe()) {
                walk(item);
                count++;
            }
            close(start, count);
            break;
        }
        case element_type::STRING:
            add(STAPE_STRING, element.get_string().value_unsafe());
            break;
        case element_type::INT64:
            add(STAPE_INT64, 0, static_cast<uint64_t>(element.get_int64().value_unsafe()));
            break;
        case element_type::UINT64:
            add(STAPE_UINT64, 0, element.get_uint64().value_unsafe());
            break;
        case element_type::DOUBLE: {
            const double number = element.get_double().value_unsafe();
            uint64_t bits;
            std::memcpy(&bits, &number, sizeof bits);
            add(STAPE_DOUBLE, 0, bits);
            break;
        }
        case element_type::BOOL:
            add(element.get_bool().value_unsafe() ? STAPE_TRUE : STAPE_FALSE, 0, 0);
            break;
        case element_type::NULL_VALUE:
            add(STAPE_NULL, 0, 0);
            break;
        }
    }
};

// Parsers for larger documents are not kept between requests.
constexpr size_t keptCapacity = 2 * 1024 * 1024;
constexpr size_t leastCapacity = 16 * 1024;

thread_local std::unique_ptr<Tape> idle;

int32_t meaning(simdjson::error_code error) {
    switch (error) {
    case simdjson::SUCCESS: return STAPE_OK;
    case simdjson::EMPTY: return STAPE_EMPTY;
    case simdjson::UTF8_ERROR: return STAPE_UTF8;
    case simdjson::NUMBER_ERROR: return STAPE_NUMBER;
    case simdjson::DEPTH_ERROR: return STAPE_DEPTH;
    case simdjson::CAPACITY: return STAPE_TOO_LARGE;
    case simdjson::MEMALLOC: return STAPE_MEMORY;
    case simdjson::UNSUPPORTED_ARCHITECTURE:
    case simdjson::UNINITIALIZED:
    case simdjson::UNEXPECTED_ERROR: return STAPE_INTERNAL;
    default: return STAPE_SYNTAX;
    }
}

}  // namespace

extern "C" stape_result stape_parse(const uint8_t *bytes, size_t count, size_t depth) {
    std::unique_ptr<Tape> tape;
    try {
        tape = idle ? std::move(idle) : std::make_unique<Tape>();
        tape->entries.clear();
        if (tape->parser.capacity() < count || tape->parser.max_depth() != depth) {
            const size_t capacity = count < leastCapacity ? leastCapacity : count;
            if (auto error = tape->parser.allocate(capacity, depth)) {
                return {nullptr, 0, tape.release(), meaning(error)};
            }
        }
        simdjson::dom::element root;
        if (auto error = tape->parser.parse(bytes, count, true).get(root)) {
            return {nullptr, 0, tape.release(), meaning(error)};
        }
        tape->walk(root);
        auto *entries = tape->entries.data();
        const size_t size = tape->entries.size();
        return {entries, size, tape.release(), STAPE_OK};
    } catch (const std::bad_alloc &) {
        return {nullptr, 0, tape.release(), STAPE_MEMORY};
    } catch (...) {
        return {nullptr, 0, tape.release(), STAPE_INTERNAL};
    }
}

extern "C" void stape_release(void *owner) {
    std::unique_ptr<Tape> tape(static_cast<Tape *>(owner));
    if (tape && tape->parser.capacity() <= keptCapacity) idle = std::move(tape);
}
