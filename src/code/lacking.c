/* SPDX-License-Identifier: Apache-2.0 */
/* lacking.c -- functions that external code calls and nobody in its shared object defines.
 *
 * Shared objects are loaded lazily, since libraries declare functions that a model may define or not (the
 * tables of the standard library call `usertab`). The dynamic linker would end the process at the call of
 * one that is not there. So right after loading, the entries of such functions in the object's table of
 * jumps (ELF: DT_JMPREL) lead to a text of ours, which reports the name as an error of the call. Where
 * other code of the model defines one, the entry leads there, in a copy of the object: runs side by side
 * may bring different definitions. */
#define _GNU_SOURCE
#include "code/code.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LACKS = 8 }; /* different ones that are told by name */

const char lacking_text[] =
    "const char *rb_lacking[8];\n"
    "static void lacking(const char *name) {\n    char s[200];\n"
    "    snprintf(s, sizeof s, \"its C code calls %.150s, which is defined nowhere\", "
    "name);\n"
    "    ModelicaError(s);\n}\n"
    "#define RB_LACKING(k) static void lacking##k(void) { lacking(rb_lacking[k]); }\n"
    "RB_LACKING(0) RB_LACKING(1) RB_LACKING(2) RB_LACKING(3)\n"
    "RB_LACKING(4) RB_LACKING(5) RB_LACKING(6)\n"
    "static void lacking7(void) { lacking(\"a function\"); }\n"
    "void (*const rb_lacking_entry[8])(void) = {\n"
    "    lacking0, lacking1, lacking2, lacking3, lacking4, lacking5, lacking6, "
    "lacking7};\n";

typedef struct Jumps { /* of a shared object; count 0: none, or not of this form */
    const ElfW(Rela) * item;
    const ElfW(Sym) * symbol;
    const char *names;
    size_t      count;
    char       *base;
} Jumps;

/* What the dynamic linker wrote under a lock of its own, which ThreadSanitizer does not know. */
#define OF_LINKER __attribute__((no_sanitize("thread")))

/* Some systems keep addresses of the dynamic section as they are in the file. */
OF_LINKER static const void *at(const struct link_map *map, uintptr_t address) {
    if (address < map->l_addr) address += map->l_addr;
    return (const void *)address;
}

OF_LINKER static Jumps jumps_of(void *library) {
    struct link_map *map = NULL;
    Jumps            j = {0};
    size_t           bytes = 0;
    bool             known = false;
    if (dlinfo(library, RTLD_DI_LINKMAP, &map) != 0 || !map) return j;
    for (const ElfW(Dyn) *d = map->l_ld; d->d_tag != DT_NULL; d++) {
        if (d->d_tag == DT_JMPREL) j.item = at(map, d->d_un.d_ptr);
        if (d->d_tag == DT_SYMTAB) j.symbol = at(map, d->d_un.d_ptr);
        if (d->d_tag == DT_STRTAB) j.names = at(map, d->d_un.d_ptr);
        if (d->d_tag == DT_PLTRELSZ) bytes = d->d_un.d_val;
        if (d->d_tag == DT_PLTREL) known = d->d_un.d_val == DT_RELA;
    }
    j.base = (char *)map->l_addr;
    if (known && j.item && j.symbol && j.names) j.count = bytes / sizeof *j.item;
    return j;
}

static const ElfW(Sym) * symbol_of(const Jumps *j, size_t k) {
    return &j->symbol[j->item[k].r_info >> (sizeof(ElfW(Addr)) == 8 ? 32 : 8)];
}

/* The name of the k-th function if nobody defines it, else NULL. */
static const char *lacks(void *library, const Jumps *j, size_t k) {
    const ElfW(Sym) *symbol = symbol_of(j, k);
    const char *name = j->names + symbol->st_name;
    bool        open = symbol != j->symbol && symbol->st_shndx == SHN_UNDEF &&
                symbol->st_info >> 4 == STB_GLOBAL;
    return open && !dlsym(library, name) && !dlsym(RTLD_DEFAULT, name) ? name : NULL;
}

/* ... or if it is there until somebody else defines it (weak). */
static const char *may_be_given(void *library, const Jumps *j, size_t k) {
    const ElfW(Sym) *symbol = symbol_of(j, k);
    if (symbol->st_shndx != SHN_UNDEF && symbol->st_info >> 4 == STB_WEAK)
        return j->names + symbol->st_name;
    return lacks(library, j, k);
}

/* Runs that load the same object at once write the same. */
static void lead(const Jumps *j, size_t k, void *entry) {
    void **slot = (void **)(j->base + j->item[k].r_offset);
    __atomic_store_n(slot, entry, __ATOMIC_RELAXED);
}

static bool report_calls(void *library) {
    const char **told = dlsym(library, "rb_lacking");
    void *const *entry = dlsym(library, "rb_lacking_entry");
    Jumps        j = jumps_of(library);
    int          n = 0;
    for (size_t k = 0; k < j.count; k++) {
        const char *name = lacks(library, &j, k);
        if (!name || !told || !entry) continue;
        if (n < LACKS - 1) __atomic_store_n(&told[n], name, __ATOMIC_RELAXED);
        lead(&j, k, entry[n < LACKS - 1 ? n : LACKS - 1]);
        n++;
    }
    return n > 0;
}

void *host_open(const char *path, Text *why) {
    void *library = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
    if (library) report_calls(library);
    else text_printf(why, "%s", dlerror());
    return library;
}

/* The object once more, with variables of its own: from a file beside it, which is gone once it is loaded. */
static void *copy_of(void *library, Text *why) {
    struct link_map *map = NULL;
    struct stat      info;
    Text             path = {0};
    void            *copy = NULL;
    int              from = -1, into = -1;
    if (dlinfo(library, RTLD_DI_LINKMAP, &map) == 0) {
        from = open(map->l_name, O_RDONLY | O_CLOEXEC);
        text_printf(&path, "%s.XXXXXX", map->l_name);
    }
    if (from >= 0 && !path.failed) into = mkostemp(path.data, O_CLOEXEC);
    bool fine = into >= 0 && fstat(from, &info) == 0 && fchmod(into, 0700) == 0;
    for (off_t done = 0; fine && done < info.st_size;)
        fine = sendfile(into, from, &done, (size_t)(info.st_size - done)) > 0;
    if (fine) copy = host_open(text_get(&path), why);
    else text_add(why, "its compiled code cannot be copied");
    if (into >= 0) unlink(path.data);
    text_free(&path);
    if (from >= 0) close(from);
    if (into >= 0) close(into);
    return copy;
}

/* The code that is called from here reports its errors to the same caller. False: too many. */
static bool tell_also(void *library, void *other) {
    enum { OTHERS = 4 };
    void **also = dlsym(library, "rb_also"), *set = dlsym(other, "rb_set_host");
    int    k = 0;
    if (!also || !set) return false;
    while (k < OTHERS && also[k] && also[k] != set) k++;
    if (k < OTHERS) also[k] = set;
    return k < OTHERS;
}

void *host_complete(void *library, HostFind *find, void *owner, Text *why) {
    Jumps j = jumps_of(library);
    void *copy = NULL;
    for (size_t k = 0; k < j.count; k++) {
        const char *name = may_be_given(library, &j, k);
        HostFound   found = {0};
        if (name) found = find(owner, name);
        if (!found.entry) continue;
        if (!copy && !(copy = copy_of(library, why))) return NULL;
        Jumps own = jumps_of(copy);
        if (tell_also(copy, found.library)) lead(&own, k, found.entry);
    }
    return copy ? copy : library;
}
