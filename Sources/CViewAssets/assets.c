#include "view_assets.h"

/* #embed is of C23; the compiler has it as an extension of what C this is compiled as. */
#pragma clang diagnostic ignored "-Wc23-extensions"

static const uint8_t script[] = {
#embed "web/app.js"
};
static const uint8_t style[] = {
#embed "web/app.css"
  ,
#embed "web/shell.css"
};
static const uint8_t icons[] = {
#embed "web/icons.svg"
};

const uint8_t *cview_script(void) { return script; }
size_t cview_script_size(void) { return sizeof script; }
const uint8_t *cview_style(void) { return style; }
size_t cview_style_size(void) { return sizeof style; }
const uint8_t *cview_icons(void) { return icons; }
size_t cview_icons_size(void) { return sizeof icons; }
