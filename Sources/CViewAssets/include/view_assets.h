#pragma once
#include <stddef.h>
#include <stdint.h>

/* The files of the page that shows an app's windows, as bytes of this program. */
const uint8_t *cview_script(void);
size_t cview_script_size(void);
const uint8_t *cview_style(void);
size_t cview_style_size(void);
const uint8_t *cview_icons(void);
size_t cview_icons_size(void);
