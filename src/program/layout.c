/* SPDX-License-Identifier: Apache-2.0 */
/* layout.c -- struct Rb and struct RbApi as C text, from the list of which rb.h makes them. */
#include "program/rb.h"

#include "base/base.h"

#include <string.h>

const char rb_declarations[] = "typedef struct RbApi RbApi;\n"
                               "typedef struct Rb Rb;\n"
                               "struct Rb {\n"
#define FIELD(...) "    " #__VA_ARGS__ ";\n"
#define ENTRY(...)
#include "program/rb.def"
#undef FIELD
#undef ENTRY
                               "};\n"
                               "struct RbApi {\n"
#define FIELD(...)
#define ENTRY(...) "    " #__VA_ARGS__ ";\n"
#include "program/rb.def"
#undef FIELD
#undef ENTRY
                               "};\n"
                               "long rb_layout(void) {\n"
                               "    return (long)sizeof(Rb)*1000 + (long)sizeof(RbApi);\n"
                               "}\n";

long rb_layout_sizes(void) {
    return (long)sizeof(Rb) * 1000 + (long)sizeof(RbApi);
}

uint64_t rb_layout_key(void) {
    return hash_bytes(rb_declarations, strlen(rb_declarations)) ^
           (uint64_t)rb_layout_sizes();
}
