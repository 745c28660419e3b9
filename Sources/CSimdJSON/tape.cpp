#include "simdjson_tape.h"
