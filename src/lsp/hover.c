/* SPDX-License-Identifier: Apache-2.0 */
/* hover.c -- what is known about the name under the cursor: declaration, type, unit, value,
 * description, and the documentation as text. */
#include "lsp/server.h"

#include <ctype.h>
#include <string.h>

enum { DOCUMENTATION_MOST = 3000 }; /* characters */

static void add_description(Text *out, Server *s, const Comment *comment) {
    Text text = {0};
    if (comment && comment->strings) comment_decode(&text, &s->session, comment);
    if (text.length) text_printf(out, "\n\n%s", text_get(&text));
    text_free(&text);
}

/* ---- HTML as text ---- */

static bool is_tag(const char *at, const char *name) {
    size_t n = strlen(name);
    for (size_t i = 0; i < n; i++)
        if (tolower((unsigned char)at[i]) != name[i]) return false;
    return !isalnum((unsigned char)at[n]);
}

/* Headings and list items become those of Markdown, blocks paragraphs; other tags go. */
static void paragraph(Text *out) {
    while (out->length && isspace((unsigned char)out->data[out->length - 1]))
        out->data[--out->length] = '\0';
    text_add(out, "\n\n");
}

static void add_tag(Text *out, const char *at) {
    if (is_tag(at, "li")) text_add(out, "\n- ");
    else if (at[0] == 'h' && isdigit((unsigned char)at[1]))
        paragraph(out), text_add(out, "### ");
    else if (is_tag(at, "p") || is_tag(at, "/h1") || is_tag(at, "/h2") ||
             is_tag(at, "/h3") || is_tag(at, "/h4") || is_tag(at, "pre") ||
             is_tag(at, "table"))
        paragraph(out);
    else if (is_tag(at, "br") || is_tag(at, "tr")) text_add(out, "\n");
}

static const char *add_entity(Text *out, const char *at) {
    static const char *const entity[][2] = {
        {"&lt;", "<"}, {"&gt;", ">"}, {"&amp;", "&"}, {"&quot;", "\""}, {"&nbsp;", " "}};
    for (int k = 0; k < LENGTH(entity); k++) {
        size_t n = strlen(entity[k][0]);
        if (strncmp(at, entity[k][0], n) != 0) continue;
        text_add(out, entity[k][1]);
        return at + n;
    }
    text_char(out, '&');
    return at + 1;
}

static void html_text(Text *out, const char *html) {
    while (*html && out->length < DOCUMENTATION_MOST) {
        const char *close = *html == '<' ? strchr(html, '>') : NULL;
        if (close) {
            add_tag(out, html + 1);
            html = close + 1;
        } else if (*html == '&') html = add_entity(out, html);
        else if (isspace((unsigned char)*html)) {
            while (isspace((unsigned char)*html)) html++;
            if (out->length && !isspace((unsigned char)out->data[out->length - 1]))
                text_char(out, ' ');
        } else text_char(out, *html++);
    }
    if (*html) text_add(out, " ...");
}

/* annotation(Documentation(info = "...")) */
static void add_documentation(Text *out, Server *s, const Class *def) {
    const Mods *notes = def ? def->annotation : NULL;
    if (!notes && def && def->comment) notes = def->comment->annotation;
    const Mod *doc = mods_find(&s->session, notes, "Documentation");
    const Mod *info = doc ? mods_find(&s->session, doc->args, "info") : NULL;
    if (!info || info->value.kind != EXPR_STRING) return;
    Text html = {0}, text = {0};
    string_decode(&html, &s->session, info->value);
    html_text(&text, text_get(&html));
    if (text.length) text_printf(out, "\n\n---\n%s", text_get(&text));
    text_free(&html);
    text_free(&text);
}

/* ---- declarations ---- */

static void add_component(Text *out, Server *s, const Meaning *m) {
    Front *front = world_front(s);
    Text   value = {0}, unit = {0}, shown = {0};
    text_add(out, "```modelica\n");
    meaning_type(out, front, m);
    text_printf(out, " %s", name_of(&s->session, m->name));
    if (meaning_value(&value, front, m) && value.length < 400)
        text_printf(out, " = %s", text_get(&value));
    text_add(out, "\n```");
    if (meaning_attribute(&unit, front, m, WORD(front, unit)))
        text_printf(out, "\n\nunit: %s", text_get(&unit));
    if (meaning_attribute(&shown, front, m, WORD(front, displayUnit)) &&
        strcmp(text_get(&shown), text_get(&unit)) != 0)
        text_printf(out, ", shown in %s", text_get(&shown));
    TEXT_FREE(&value, &unit, &shown);
}

static void add_class(Text *out, Server *s, const Meaning *m) {
    const Class *def = m->cls ? m->cls->def : NULL;
    text_printf(out, "```modelica\n%s%s ", def && def->partial ? "partial " : "",
                class_word(def));
    meaning_name(out, world_front(s), m);
    text_add(out, "\n```");
}

static void describe(Text *out, Server *s, const Meaning *m) {
    switch (m->kind) {
    case MEANS_COMPONENT: add_component(out, s, m); break;
    case MEANS_CLASS: add_class(out, s, m); break;
    case MEANS_LITERAL:
        text_add(out, "```modelica\n");
        meaning_name(out, world_front(s), m);
        text_add(out, "\n```");
        break;
    case MEANS_BUILTIN:
        text_printf(out, "```modelica\n%s(", m->function->name);
        for (const char *c = m->function->args; *c; c++)
            if (*c == ' ') text_add(out, ", ");
            else text_char(out, *c);
        text_add(out, ")\n```\n\nbuilt-in function");
        break;
    case MEANS_ITERATOR:
        text_printf(out, "```modelica\n%s\n```\n\niterator",
                    name_of(&s->session, m->name));
        break;
    case MEANS_ATTRIBUTE:
        text_printf(out, "```modelica\n%s\n```\n\nattribute of a built-in type",
                    name_of(&s->session, m->name));
        break;
    case MEANS_TIME:
        text_add(out, "```modelica\ninput Real time\n```\n\nsimulated time\n\nunit: s");
        break;
    default: break;
    }
    add_description(out, s, meaning_comment(m));
    if (m->kind == MEANS_CLASS && m->cls) add_documentation(out, s, m->cls->def);
}

cJSON *request_hover(Server *s, const cJSON *params) {
    Arena  arena = {0};
    Text   text = {0};
    cJSON *out = NULL;
    Spot   spot = spot_at_cursor(s, params, &arena);
    if (spot.meaning.kind) {
        describe(&text, s, &spot.meaning);
        out = cJSON_CreateObject();
        cJSON *contents = cJSON_AddObjectToObject(out, "contents");
        cJSON_AddStringToObject(contents, "kind", "markdown");
        cJSON_AddStringToObject(contents, "value", text_get(&text));
        cJSON_AddItemToObject(out, "range", kept_range(s, spot.kept, spot.span.pos));
    }
    text_free(&text);
    arena_free(&arena);
    return out;
}
