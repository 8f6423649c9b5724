/* SPDX-License-Identifier: Apache-2.0 */
/* sources.c -- an FMU as C sources: texts of the model, the sources of our runtime, and how they are built.
 *
 *   model_N.c       the text of a part, or of its derivatives, with a table of its functions
 *   model.c         all tables by the hash of their text (code/built.c looks there)
 *   functions.c     the entry points of FMI under their names for static linking
 *   FOLDER_FILE.c, FOLDER/FILE.h   the runtime, as listed in the folder beside the program
 *
 * Functions of a text have the same names in all of them, so each file renames its own. The names of the
 * entry points begin with that of the model unless the build defines FMI3_OVERRIDE_FUNCTION_PREFIX (2.0:
 * FMI2_...), as the header files of the standard want it, or DISABLE_PREFIX, as some importers do. */
#include "fmi/content.h"
#include "fmi/xml.h"

#include <stdio.h>
#include <string.h>

typedef struct Written {
    Content          *content;
    const Program    *program;
    const FmuOptions *options;
    Text             *compiled;
    const char       *id;   /* name of the model in C */
    Text              all;  /* model.c: declarations of tables ... */
    Text              list; /* ... and what holds them */
    int               texts;
} Written;

static bool add_text(Written *s, const char *name, const Text *text, bool compiled) {
    Text path = {0};
    text_printf(&path, "sources/%s", name);
    if (compiled) text_printf(s->compiled, "%s\n", name);
    bool fine = !path.failed && !s->compiled->failed &&
                content_add_text(s->content, text_get(&path), text);
    text_free(&path);
    return fine;
}

/* ---- the model ---- */

static bool add_model_text(Written *s, const char *text) {
    Image image; /* tells which entry points the text has */
    Text  out = {0}, name = {0};
    if (!image_tcc(&image, text, NULL, s->content->why)) return false;
    for (int k = 0; image_entry(k); k++)
        if (image_has(&image, k))
            text_printf(&out, "#define %s %s_%d_%s\n", image_entry(k), s->id, s->texts,
                        image_entry(k));
    text_add(&out, text);
    text_printf(&out,
                "\ntypedef struct RbEntry {\n    const char *name;\n"
                "    void (*at)(void);\n} RbEntry;\n"
                "extern const RbEntry %s_entries_%d[];\n"
                "const RbEntry %s_entries_%d[] = {\n",
                s->id, s->texts, s->id, s->texts);
    for (int k = 0; image_entry(k); k++)
        if (image_has(&image, k))
            text_printf(&out, "    {\"%s\", (void (*)(void))%s},\n", image_entry(k),
                        image_entry(k));
    text_add(&out, "    {0, 0}};\n");
    text_printf(&s->all, "extern const BuiltEntry %s_entries_%d[];\n", s->id, s->texts);
    text_printf(&s->list, "    {0x%016llxu, %s_entries_%d},\n",
                (unsigned long long)hash_bytes(text, strlen(text)), s->id, s->texts);
    text_printf(&name, "model_%d.c", s->texts++);
    image_close(&image);
    bool fine = !out.failed && add_text(s, text_get(&name), &out, true);
    TEXT_FREE(&out, &name);
    return fine;
}

static bool add_model(Written *s) {
    const Program *p = s->program;
    bool           fine = true;
    text_add(&s->all, "#include \"code/code.h\"\n\n");
    for (int k = 0; k < p->parts && fine; k++) {
        fine = add_model_text(s, p->part[k].text);
        if (fine && p->part[k].tangent_bytes)
            fine = add_model_text(s, p->part[k].tangent);
        if (fine && p->part[k].sense_bytes) fine = add_model_text(s, p->part[k].sense);
    }
    text_printf(&s->all,
                "\nextern const BuiltText %s_built[];\n"
                "const BuiltText %s_built[] = {\n%s    {0, NULL}};\n",
                s->id, s->id, text_get(&s->list));
    s->all.failed |= s->list.failed;
    return fine && !s->all.failed && add_text(s, "model.c", &s->all, true);
}

/* ---- the entry points ---- */

static const char *const functions2[] = {
#define FUNCTION(result, name, parameters) #name,
#include "fmi/standard2.def"
#undef FUNCTION
    NULL};
static const char *const functions3[] = {
#define FUNCTION(result, name, parameters) #name,
#define UNUSED(name, parameters)           #name,
#define NUMBER(name, type)                 "Get" #name, "Set" #name,
#include "fmi/standard3.def"
#undef FUNCTION
#undef NUMBER
    NULL};

static bool add_functions(Written *s) {
    const int version = s->options->version;
    Text      out = {0};
    text_printf(
        &out,
        "#if !defined(FMI%d_OVERRIDE_FUNCTION_PREFIX) && !defined(DISABLE_PREFIX)\n",
        version);
    for (const char *const *f = version == 2 ? functions2 : functions3; *f; f++)
        text_printf(&out, "#define fmi%d%s %s_fmi%d%s\n", version, *f, s->id, version,
                    *f);
    text_printf(&out,
                "#endif\n#define RUBATO_BUILT %s_built\n#include \"fmi/entry%d.c\"\n",
                s->id, version);
    bool fine = !out.failed && add_text(s, "functions.c", &out, true);
    text_free(&out);
    return fine;
}

/* ---- the runtime ---- */

/* A file of the list; entry points of the other version are left out. */
static bool add_listed(Written *s, const char *folder, const char *name) {
    const char *other = s->options->version == 2 ? "fmi/entry3.c" : "fmi/entry2.c";
    Text        from = {0}, to = {0};
    if (strcmp(name, other) == 0) return true;
    text_printf(&from, "%s/%s", folder, name);
    text_printf(&to, "sources/%s", name);
    if (!strchr(name, '/')) text_printf(s->compiled, "%s\n", name);
    bool fine = !from.failed && !to.failed && !s->compiled->failed &&
                content_add_file(s->content, text_get(&to), text_get(&from));
    TEXT_FREE(&from, &to);
    return fine;
}

static bool add_runtime(Written *s) {
    char  name[200];
    Text  folder = {0}, path = {0};
    FILE *list = NULL;
    if (sources_beside(&folder)) {
        text_printf(&path, "%s/list", text_get(&folder));
        list = path.failed ? NULL : fopen(text_get(&path), "r");
    }
    bool fine = list != NULL;
    if (!fine)
        text_add(s->content->why,
                 "fmu-sources, the sources of the runtime, are not beside the program");
    while (fine && fgets(name, sizeof name, list)) {
        name[strcspn(name, "\n")] = 0;
        fine = add_listed(s, text_get(&folder), name);
    }
    if (list) fclose(list);
    TEXT_FREE(&folder, &path);
    return fine;
}

/* ---- how it is built ---- */

static void definition(Text *out, const char *name, const char *words) {
    text_printf(out, "      <PreprocessorDefinition name=\"%s\" optional=\"true\"", name);
    xml_attribute(out, "description", words);
    text_add(out, "/>\n");
}

static bool add_description(Written *s) {
    static const char *const library[] = {"m", "pthread", "dl"};
    Text                     out = {0};
    text_printf(
        &out,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<fmiBuildDescription fmiVersion=\"3.0\">\n"
        "  <BuildConfiguration modelIdentifier=\"%s\" description=\"Linux, C11 with "
        "the extensions of GNU (gcc, clang), POSIX threads\">\n"
        "    <SourceFileSet language=\"C11\" compilerOptions=\"-ffp-contract=off\">\n",
        s->id);
    for (const char *at = text_get(s->compiled); *at; at += strcspn(at, "\n") + 1)
        text_printf(&out, "      <SourceFile name=\"%.*s\"/>\n", (int)strcspn(at, "\n"),
                    at);
    definition(&out, "FMI3_OVERRIDE_FUNCTION_PREFIX",
               "for a shared object: functions have the names of the standard");
    definition(&out, "HAVE_LAPACK", "large dense matrices by LAPACK; it is linked then");
    definition(&out, "HAVE_KLU", "large sparse matrices by KLU; it is linked then");
    text_add(&out, "      <IncludeDirectory name=\".\"/>\n    </SourceFileSet>\n");
    for (int k = 0; k < LENGTH(library); k++)
        text_printf(&out, "    <Library name=\"%s\" external=\"true\"/>\n", library[k]);
    text_add(&out, "  </BuildConfiguration>\n</fmiBuildDescription>\n");
    bool fine = !out.failed && add_text(s, "buildDescription.xml", &out, false);
    text_free(&out);
    return fine;
}

static bool may_go(const Program *p, Text *why) {
    for (int k = 0; k < p->functions; k++)
        if (p->function[k].symbol) {
            text_printf(why, "the external function '%s' cannot go along as a source",
                        program_text(p, p->function[k].symbol));
            return false;
        }
    return true;
}

bool sources_add(Content *c, const Program *p, const FmuOptions *options,
                 Text *compiled) {
    Written s = {.content = c, .program = p, .options = options, .compiled = compiled};
    Text    id = {0};
    fmu_identifier(p, &id);
    s.id = text_get(&id);
    bool fine = may_go(p, c->why) && add_functions(&s) && add_model(&s) &&
                add_runtime(&s) && (options->version == 2 || add_description(&s));
    if (!fine && !c->why->length) text_add(c->why, "there is no memory");
    TEXT_FREE(&s.all, &s.list, &id);
    return fine;
}
