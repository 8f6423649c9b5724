/* SPDX-License-Identifier: Apache-2.0 */
/* extern.c -- the call of an external function as C text. */
#include "gen/gen.h"

#include <string.h>

typedef struct Call {
    Shapes         *shapes;
    const Function *f;
    int             number; /* of the function */
    bool            fortran;
} Call;

static void slot_text(const void *context, int slot, Text *out) {
    (void)context;
    text_printf(out, "(*(double *)p[%d])", slot);
}

static void array_text(const void *context, int slot, Text *out) {
    (void)context;
    text_printf(out, "((RbArray *)p[%d])", slot);
}

static void size_text(const void *context, int slot, int dimension, Text *out) {
    (void)context;
    text_printf(out, "((RbArray *)p[%d])->n[%d]", slot, dimension - 1);
}

static const char *c_type(Type type) {
    switch (type) {
    case TYPE_REAL: return "double";
    case TYPE_STRING: return "const char *";
    case TYPE_OBJECT: return "void *";
    default: return "int";
    }
}

static void from_number(Type type, const char *value, Text *out) {
    if (type == TYPE_STRING) text_printf(out, "c->api->chars(c, %s)", value);
    else if (type == TYPE_OBJECT) text_printf(out, "c->api->object(c, %s)", value);
    else text_printf(out, "(%s)(%s)", c_type(type), value);
}

static void to_number(const Call *call, Type type, const char *value, Text *out) {
    if (type == TYPE_STRING) text_printf(out, "c->api->keep(c, %s)", value);
    else if (type == TYPE_OBJECT)
        text_printf(out, "c->api->own(c, %d, %s)", call->number, value);
    else text_printf(out, "(double)%s", value);
}

/* An array as C or FORTRAN wants it: x<k>, copied unless it is already of that form. */
static void array_argument(const Call *call, int k, const Node *node, Text *before,
                           Text *after) {
    bool out = node->index >= call->f->inputs, turned = call->fortran && node->rank == 2;
    const char *type = c_type((Type)node->type);
    int         s = node->index;
    if (node->type == TYPE_REAL && !turned) {
        text_printf(before, "    double *x%d = ((RbArray *)p[%d])->d;\n", k, s);
        return;
    }
    Text at = {0}, value = {0};
    if (turned) text_printf(&at, "i %% y%d->n[1]*y%d->n[0] + i/y%d->n[1]", k, k, k);
    else text_add(&at, "i");
    text_printf(before,
                "    RbArray *y%d = p[%d];\n    const long n%d = rb_count(y%d, %d);\n"
                "    %s *x%d = (void *)rb_take(c, n%d);\n    if (c->failed) return;\n",
                k, s, k, k, node->rank, type, k, k);
    Text item = {0};
    text_printf(&item, "y%d->d[i]", k);
    from_number((Type)node->type, text_get(&item), &value);
    text_printf(before, "    for (long i = 0; i < n%d; i++) x%d[%s] = %s;\n", k, k,
                text_get(&at), text_get(&value));
    if (out) {
        text_clear(&item);
        text_clear(&value);
        text_printf(&item, "x%d[%s]", k, text_get(&at));
        to_number(call, (Type)node->type, text_get(&item), &value);
        text_printf(after, "    for (long i = 0; i < n%d; i++) y%d->d[i] = %s;\n", k, k,
                    text_get(&value));
    }
    text_free(&at);
    text_free(&value);
    text_free(&item);
}

/* A scalar: by value, or by address if it is a result or the language is FORTRAN. */
static void scalar_argument(const Call *call, int k, Term arg, CText *c, Text *before,
                            Text *after, bool *address) {
    Node node = call->shapes->node[arg];
    Type type = (Type)node.type;
    Text value = {0}, number = {0}, back = {0};
    bool out = node.op == TERM_SLOT && node.index >= call->f->inputs;
    bool size = node.op == TERM_SIZE && !call->fortran;
    ctext_value(c, arg, &number);
    from_number(type, text_get(&number), &value);
    text_printf(before, "    %s x%d = %s;\n", size ? "unsigned long" : c_type(type), k,
                text_get(&value));
    bool text =
        call->fortran && type == TYPE_STRING; /* an address already, never a result */
    *address = !text && (out || call->fortran);
    if (out && !text) {
        char name[20];
        snprintf(name, sizeof name, "x%d", k);
        to_number(call, type, name, &back);
        text_printf(after, "    *(double *)p[%d] = %s;\n", node.index, text_get(&back));
    }
    text_free(&value);
    text_free(&number);
    text_free(&back);
}

/* struct { double f0; int f1; ... } of a tuple. */
static void struct_type(const Call *call, Term tuple, Text *out) {
    const Node *node = expr_node(call->shapes, tuple);
    text_add(out, "struct { ");
    for (uint32_t k = 0; k < node->n; k++) {
        Term field = expr_arg(call->shapes, tuple, (int)k);
        if (expr_op(call->shapes, field) == TERM_TUPLE) struct_type(call, field, out);
        else text_add(out, c_type((Type)expr_node(call->shapes, field)->type));
        text_printf(out, " f%u; ", k);
    }
    text_add(out, "}");
}

/* The fields of the struct `name`: set from the slots, or with back these from it. */
static void struct_fields(const Call *call, Term tuple, const char *name, CText *c,
                          bool back, Text *out) {
    const uint32_t n = expr_node(call->shapes, tuple)->n;
    for (uint32_t k = 0; k < n; k++) {
        Term field = expr_arg(call->shapes, tuple, (int)k);
        Node node = call->shapes->node[field];
        Text place = {0}, value = {0}, number = {0};
        text_printf(&place, "%s.f%u", name, k);
        if (node.op == TERM_TUPLE)
            struct_fields(call, field, text_get(&place), c, back, out);
        else if (back) {
            to_number(call, (Type)node.type, text_get(&place), &value);
            text_printf(out, "    *(double *)p[%d] = %s;\n", node.index,
                        text_get(&value));
        } else {
            ctext_value(c, field, &number);
            from_number((Type)node.type, text_get(&number), &value);
            text_printf(out, "    %s = %s;\n", text_get(&place), text_get(&value));
        }
        text_free(&place);
        text_free(&value);
        text_free(&number);
    }
}

/* Are the leaves of a tuple variables that the call sets? */
static bool is_set(const Call *call, Term tuple) {
    const Node *node = expr_node(call->shapes, tuple);
    if (node->op != TERM_TUPLE)
        return node->op == TERM_SLOT && node->index >= call->f->inputs;
    return node->n > 0 && is_set(call, expr_arg(call->shapes, tuple, 0));
}

/* A record goes by the address of a struct; one that is a result comes back from it. */
static void record_argument(const Call *call, int k, Term arg, CText *c, Text *before,
                            Text *after) {
    char name[20];
    snprintf(name, sizeof name, "x%d", k);
    text_add(before, "    ");
    struct_type(call, arg, before);
    text_printf(before, " %s = {0};\n", name);
    struct_fields(call, arg, name, c, false, before);
    if (is_set(call, arg)) struct_fields(call, arg, name, c, true, after);
}

bool extern_text(Shapes *shapes, const Function *f, int number, Text *out) {
    const ExternalCall *x = f->external;
    Call                call = {shapes, f, number, false};
    Text                before = {0}, after = {0}, types = {0}, args = {0};
    CText               c = {.shapes = shapes,
                             .slot = slot_text,
                             .array = array_text,
                             .size = size_text,
                             .out = &before,
                             .indent = 4,
                             .pos = f->pos};
    call.fortran = strncmp(str_text(shapes->strings, x->language), "FORTRAN", 7) == 0;
    for (int k = 0; k < x->args; k++) {
        Node node = shapes->node[x->arg[k]];
        bool address = false;
        if (node.op == TERM_TUPLE) {
            record_argument(&call, k, x->arg[k], &c, &before, &after);
            text_printf(&args, "%s&x%d", k ? ", " : "", k);
            text_printf(&types, "%svoid *", k ? ", " : "");
            continue;
        }
        if (node.op == TERM_ARRAY_SLOT) {
            array_argument(&call, k, &node, &before, &after);
            address = true;
            text_printf(&args, "%sx%d", k ? ", " : "", k);
        } else {
            scalar_argument(&call, k, x->arg[k], &c, &before, &after, &address);
            text_printf(&args, "%s%sx%d", k ? ", " : "", address ? "&" : "", k);
        }
        bool size = node.op == TERM_SIZE && !call.fortran;
        text_printf(&types, "%s%s%s", k ? ", " : "",
                    size ? "unsigned long" : c_type((Type)node.type),
                    address ? " *" : "");
    }
    Type        type = x->result ? (Type)shapes->node[x->result].type : TYPE_NONE;
    bool        record = x->result && expr_op(shapes, x->result) == TERM_TUPLE;
    const char *result = record ? "Result" : x->result ? c_type(type) : "void";
    text_printf(out, "static void x%d(Rb *c, void *frame) {\n    void **p = frame;\n",
                number);
    if (record) {
        text_add(out, "    typedef ");
        struct_type(&call, x->result, out);
        text_add(out, " Result;\n");
    }
    text_bytes(out, before.data, before.length);
    text_printf(out, "    %s%s((%s (*)(%s))c->external[%d])(%s);\n",
                x->result ? result : "", x->result ? " r = " : "", result,
                x->args ? text_get(&types) : "void", number, text_get(&args));
    text_bytes(out, after.data, after.length);
    if (record) struct_fields(&call, x->result, "r", &c, true, out);
    else if (x->result) {
        Text value = {0};
        to_number(&call, type, "r", &value);
        text_printf(out, "    *(double *)p[%d] = %s;\n", shapes->node[x->result].index,
                    text_get(&value));
        text_free(&value);
    }
    text_add(out, "}\n\n");
    text_free(&before);
    text_free(&after);
    text_free(&types);
    text_free(&args);
    return !c.missing;
}
