/* SPDX-License-Identifier: Apache-2.0 */
/* syntax.h -- from Modelica text to an immutable tree, and back.
 *
 *   session.c       data with the lifetime of the loaded text: names, sources, messages, trees
 *   lexer.c         characters -> tokens            (tokens: lexer.h, private)
 *   parse.c         tokens -> tree: files, errors and recovery      (parser.h, private)
 *   parse_expr.c      expressions
 *   parse_clause.c    equations and statements
 *   parse_class.c     classes, elements, modifications
 *   literal.c       values of numbers and strings
 *   resource.c      files of libraries named by URIs
 *   dump.c          the tree as indented text; equal trees give equal text
 *   format.c        the tree as formatted Modelica (printer.c: layout and comments)
 *   library.c       packages on disk, read file by file as names are looked up
 *   tokens.c        the words of a text with their lengths, for editors
 *   visit.c         every name in a tree with what it takes to find its meaning
 *
 * The grammar is that of the Modelica language 3.6, appendix A. The tree contains everything
 * that was written except white space: descriptions and annotations are stored in the nodes
 * they belong to, comments in a list ordered by position.
 *
 * Invariants.
 *  1. A finished tree is never changed; all of it lives in session->ast.
 *  2. Where the text is wrong, a message was reported and the node is EXPR_BAD, or the
 *     clause or element is left out. StoredFile.good is then false.
 *  3. No tree is higher than PARSE_HEIGHT, so walking it recursively is safe. */
#ifndef RUBATO_SYNTAX_H
#define RUBATO_SYNTAX_H

#include "base/base.h"

enum {
    PARSE_DEPTH = 400,   /* nesting of brackets, classes and control structures      */
    PARSE_HEIGHT = 4000, /* height of an expression tree: a chain of operators counts */
    PARSE_ERRORS = 50    /* messages per file after which parsing gives up           */
};

typedef struct Expr       Expr;
typedef struct ExprList   ExprList;
typedef struct Name       Name;
typedef struct Call       Call;
typedef struct Iterators  Iterators;
typedef struct Mods       Mods;
typedef struct Comment    Comment;
typedef struct Class      Class;
typedef struct Element    Element;
typedef struct Clause     Clause;
typedef struct ClauseList ClauseList;

/* ---- expressions ------------------------------------------------------------------- */

typedef enum {
    EXPR_NONE,    /* no expression where one is optional                              */
    EXPR_BAD,     /* was wrong and is reported                                        */
    EXPR_INTEGER, /* integer                                                          */
    EXPR_REAL,    /* real                                                             */
    EXPR_STRING,  /* length bytes at pos, quotes included: see string_decode          */
    EXPR_FALSE,
    EXPR_TRUE,
    EXPR_END,       /* `end` in a subscript                                             */
    EXPR_COLON,     /* `:` in a subscript or dimension                                  */
    EXPR_BREAK,     /* `x = break` in a modification                                    */
    EXPR_NAME,      /* name: component reference or class name                          */
    EXPR_CALL,      /* call: f(...)                                                     */
    EXPR_PARTIAL,   /* call: `function f(...)` as an argument                           */
    EXPR_UNARY,     /* op, arg[0]                                                       */
    EXPR_BINARY,    /* op, arg[0], arg[1]                                               */
    EXPR_RANGE,     /* list: start, stop or start, step, stop                           */
    EXPR_IF,        /* list: condition, value, condition, value, ..., value             */
    EXPR_ARRAY,     /* list: { ... }                                                    */
    EXPR_ARRAY_FOR, /* call: { e for i in r }, call->function is NULL                   */
    EXPR_MATRIX,    /* list of EXPR_ARRAY, one per row: [ ...; ... ]                    */
    EXPR_TUPLE,     /* list: (a, , b); missing members are EXPR_NONE                    */
    EXPR_SUBSCRIPT, /* list: expression, subscripts...: (e)[i]                          */
    EXPR_FIELD      /* field: (e).name                                                  */
} ExprKind;

typedef enum {
    OP_NONE,
    OP_OR,
    OP_AND,
    OP_NOT,
    OP_LESS,
    OP_LESS_EQUAL,
    OP_GREATER,
    OP_GREATER_EQUAL,
    OP_EQUAL,
    OP_NOT_EQUAL,
    OP_ADD,
    OP_SUB,
    OP_ADD_EACH,
    OP_SUB_EACH, /* _EACH: element-wise  .+ .-           */
    OP_MUL,
    OP_DIV,
    OP_MUL_EACH,
    OP_DIV_EACH,
    OP_POWER,
    OP_POWER_EACH
} Op;

struct Expr {       /* 16 bytes, passed by value                            */
    Pos     pos;    /* first character; of a binary operation, its operator */
    uint8_t kind;   /* ExprKind                                             */
    uint8_t op;     /* Op of EXPR_UNARY and EXPR_BINARY                     */
    bool    parens; /* written in parentheses                               */
    union {
        int64_t             integer;
        double              real;
        uint32_t            length;
        const Name         *name;
        const Call         *call;
        const Expr         *arg;
        const ExprList     *list;
        const struct Field *field;
    };
};

struct ExprList {
    uint32_t count;
    Expr     item[];
};

/* What an expression is a list of; NULL: it is none. */
static inline const ExprList *expr_items(Expr expr) {
    switch (expr.kind) {
    case EXPR_RANGE:
    case EXPR_IF:
    case EXPR_ARRAY:
    case EXPR_MATRIX:
    case EXPR_TUPLE:
    case EXPR_SUBSCRIPT: return expr.list;
    default: return NULL;
    }
}

typedef struct NamePart {
    Str             name;
    Pos             pos;
    const ExprList *subscripts; /* NULL if none */
} NamePart;

struct Name {        /* a.b[2].c or .a.b                                     */
    uint16_t count;  /* parts                                                */
    bool     global; /* starts with a dot                                    */
    NamePart part[];
};

typedef struct Field { /* (expression).name                                    */
    Expr expr;
    Str  name;
    Pos  pos;
} Field;

typedef struct NamedArg {
    Str  name;
    Pos  pos;
    Expr value;
} NamedArg;

struct Call {
    const Name      *function; /* NULL for EXPR_ARRAY_FOR                              */
    const ExprList  *args;     /* positional; NULL if none                             */
    const NamedArg  *named;    /* named_count of them                                  */
    uint32_t         named_count;
    const Iterators *iterators; /* NULL unless f(e for i in r)                          */
};

typedef struct Iterator {
    Str  name;
    Pos  pos;
    Expr range; /* EXPR_NONE if it is to be deduced                     */
} Iterator;

struct Iterators {
    uint32_t count;
    Iterator item[];
};

/* ---- descriptions, annotations, modifications ---------------------------------------- */

struct Comment {                /* "description" annotation(...)                        */
    const ExprList *strings;    /* parts of the description joined by +; NULL if none   */
    const Mods     *annotation; /* NULL if none                                         */
};

typedef enum {
    MOD_VALUE,        /* name(args) = value                                   */
    MOD_ELEMENT,      /* redeclare or replaceable: element                    */
    MOD_BREAK,        /* break name            (in extends)                   */
    MOD_BREAK_CONNECT /* break connect(a, b)   (in extends)                   */
} ModKind;

typedef struct Mod {
    Pos            pos; /* of the name, or of `break`                           */
    Str            name;
    uint8_t        kind; /* ModKind                                              */
    bool           each, final;
    bool           dotted;  /* a.b = 1 is kept as a(b = 1) with this mark on a;
                                   prefixes and value stand at the last name            */
    bool           assign;  /* written := instead of =                              */
    const Mods    *args;    /* the modifications in parentheses; NULL if none       */
    Expr           value;   /* EXPR_NONE if none                                    */
    const Comment *comment; /* NULL if none                                         */
    union {
        const Element *element; /* of MOD_ELEMENT                                       */
        const Clause  *connect; /* of MOD_BREAK_CONNECT                                 */
    };
} Mod;

struct Mods {
    Pos      pos; /* of the opening parenthesis                           */
    uint32_t count;
    Mod      item[];
};

/* ---- equations and statements ----------------------------------------------------------- */

typedef enum {
    CLAUSE_EQUATION, /* side[0] = side[1]                                    */
    CLAUSE_ASSIGN,   /* side[0] := side[1]                                   */
    CLAUSE_CALL,     /* side[0] is EXPR_CALL                                 */
    CLAUSE_CONNECT,  /* connect(side[0], side[1])                            */
    CLAUSE_IF,       /* branches; an `else` has condition EXPR_NONE          */
    CLAUSE_WHEN,     /* branches                                             */
    CLAUSE_FOR,      /* loop                                                 */
    CLAUSE_WHILE,    /* branches: exactly one                                */
    CLAUSE_BREAK,
    CLAUSE_RETURN
} ClauseKind;

struct ClauseList {
    uint32_t      count;
    const Clause *item[];
};

typedef struct Branch {
    Pos               pos; /* of if, elseif, else, when, elsewhen, while           */
    Expr              condition;
    const ClauseList *body;
} Branch;

typedef struct Branches {
    uint32_t count;
    Branch   item[];
} Branches;

typedef struct Loop {
    const Iterators  *iterators;
    const ClauseList *body;
} Loop;

struct Clause {
    Pos            pos;
    uint8_t        kind;    /* ClauseKind                                           */
    const Comment *comment; /* NULL if none                                         */
    Pos            end;     /* of the `end` of a compound clause, else 0            */
    Pos            stop;    /* just after its last token                           */
    union {
        const Expr     *side;
        const Branches *branches;
        const Loop     *loop;
    };
};

/* ---- elements and classes ------------------------------------------------------------------ */

typedef struct Component { /* one name of a component clause                       */
    Str             name;
    Pos             pos;
    const ExprList *subscripts; /* NULL if none                                         */
    const Mods     *mods;       /* NULL if none                                         */
    bool            assign;     /* value written with :=                                */
    Expr            value;      /* EXPR_NONE if none                                    */
    Expr            condition;  /* EXPR_NONE if none                                    */
    const Comment  *comment;    /* NULL if none                                         */
} Component;

typedef enum { FLOW_NONE, FLOW_FLOW, FLOW_STREAM } FlowPrefix;
typedef enum {
    VARIES_CONTINUOUS,
    VARIES_DISCRETE,
    VARIES_PARAMETER,
    VARIES_CONSTANT
} Varies;
typedef enum { CAUSAL_NONE, CAUSAL_INPUT, CAUSAL_OUTPUT } Causality;

typedef struct Components {    /* parameter Real a[3], b = 2;                          */
    uint8_t         flow;      /* FlowPrefix                                           */
    uint8_t         varies;    /* Varies                                               */
    uint8_t         causality; /* Causality                                            */
    const Name     *type;
    const ExprList *subscripts; /* of the type; NULL if none                            */
    uint32_t        count;
    Component       item[];
} Components;

typedef struct Based { /* extends, constrainedby                                     */
    const Name    *base;
    const Mods    *mods;    /* NULL if none                                         */
    const Comment *comment; /* NULL if none; of extends only its annotation         */
} Based;

typedef enum { IMPORT_NAME, IMPORT_RENAMED, IMPORT_ALL, IMPORT_LIST } ImportKind;

typedef struct Import {
    uint8_t         kind;  /* ImportKind                                           */
    Str             alias; /* of IMPORT_RENAMED                                    */
    Pos             alias_pos;
    const Name     *path;
    uint32_t        count;   /* names in list                                        */
    const NamePart *list;    /* of IMPORT_LIST                                       */
    const Comment  *comment; /* NULL if none                                         */
} Import;

typedef enum {
    ELEMENT_CLASS,
    ELEMENT_COMPONENTS,
    ELEMENT_EXTENDS,
    ELEMENT_IMPORT
} ElementKind;

struct Element {
    Pos          pos;  /* first token                                          */
    Pos          stop; /* just after its last token                           */
    uint8_t      kind; /* ElementKind                                          */
    bool         redeclare, final, inner, outer, replaceable;
    const Based *constraint; /* NULL if none                                       */
    union {
        const Class      *class_;
        const Components *components;
        const Based      *extends;
        const Import     *import;
    };
};

typedef enum {
    SECTION_PUBLIC,            /* element, also the unnamed first list                 */
    SECTION_PROTECTED,         /* element                                              */
    SECTION_EQUATION,          /* clause                                               */
    SECTION_INITIAL_EQUATION,  /* clause                                               */
    SECTION_ALGORITHM,         /* clause                                               */
    SECTION_INITIAL_ALGORITHM, /* clause                                               */
    SECTION_EXTERNAL,          /* external                                             */
    SECTION_ANNOTATION         /* annotation                                           */
} SectionKind;

typedef struct External {
    Expr            language;   /* EXPR_STRING or EXPR_NONE                             */
    Expr            result;     /* component reference or EXPR_NONE                     */
    Str             function;   /* 0 if no call is given                                */
    Pos             pos;        /* of the function name                                 */
    const ExprList *args;       /* NULL if none                                         */
    const Mods     *annotation; /* NULL if none                                         */
} External;

typedef struct Section { /* in the order of the text                             */
    Pos      pos;        /* of the keyword, 0 if there was none                  */
    uint8_t  kind;       /* SectionKind                                          */
    bool     named;      /* has its keyword; false for the first list and after
                                   an annotation in the middle of a list                */
    uint32_t count;      /* of element or clause                                 */
    union {
        const Element *const *element;
        const Clause *const  *clause;
        const External       *external;
        const Mods           *annotation;
    };
} Section;

typedef enum {
    CLASS_CLASS,
    CLASS_MODEL,
    CLASS_RECORD,
    CLASS_BLOCK,
    CLASS_CONNECTOR,
    CLASS_TYPE,
    CLASS_PACKAGE,
    CLASS_FUNCTION,
    CLASS_OPERATOR
} ClassKind;

typedef enum {
    FORM_LONG,        /* model A ... end A                                    */
    FORM_EXTENDS,     /* model extends A(mods) ... end A                      */
    FORM_SHORT,       /* model A = B[2](mods)                                 */
    FORM_ENUMERATION, /* type A = enumeration(...)                            */
    FORM_DERIVATIVE   /* function A = der(f, x, y)                            */
} ClassForm;

typedef struct Literal { /* of an enumeration                                    */
    Str            name;
    Pos            pos;
    const Comment *comment; /* NULL if none                                         */
} Literal;

struct Class {
    Pos      pos;      /* of the name                                          */
    Pos      start;    /* first token of the definition, prefixes included     */
    Pos      end;      /* of `end` of a long form, else 0                      */
    Pos      end_name; /* of the name after it, 0 if it is missing or wrong  */
    Pos      stop;     /* just after its last token                           */
    Str      name;
    uint8_t  kind;      /* ClassKind                                            */
    uint8_t  form;      /* ClassForm                                            */
    uint8_t  causality; /* base prefix of a short class: Causality              */
    bool     encapsulated, partial, expandable, pure, impure;
    bool     operator_;        /* operator record, operator function                   */
    bool     any_literals;     /* enumeration(:)                                       */
    uint32_t count;            /* of sections, literals or variables                   */
    const Comment *comment;    /* long forms: description only; NULL if none           */
    const Mods    *annotation; /* long forms: the last annotation; NULL if none        */
    union {
        const Section  *section;    /* FORM_LONG, FORM_EXTENDS                          */
        const Literal  *literal;    /* FORM_ENUMERATION                                 */
        const NamePart *variable;   /* FORM_DERIVATIVE                                  */
        const ExprList *subscripts; /* FORM_SHORT; NULL if none                         */
    };
    const Name *base; /* FORM_SHORT, FORM_DERIVATIVE                          */
    const Mods *mods; /* FORM_SHORT, FORM_EXTENDS; NULL if none               */
};

/* ---- files ------------------------------------------------------------------------------------ */

typedef struct Remark { /* a comment of the text: // or slash-star              */
    Pos      pos;
    uint32_t length;
} Remark;

typedef struct StoredClass {
    const Class *class_;
    bool         final;
} StoredClass;

typedef struct StoredFile { /* one parsed file                                      */
    const Source      *source;
    bool               good; /* no error was reported                                */
    bool               has_within;
    Pos                within_pos;
    const Name        *within; /* NULL for `within;` and without within                */
    uint32_t           count;  /* classes                                              */
    const StoredClass *stored;
    uint32_t           remarks;
    const Remark      *remark; /* by position                                          */
} StoredFile;

/* ---- session.c ----------------------------------------------------------------------------------- */

typedef struct Session { /* lives as long as the loaded text                     */
    Strings           strings;
    Sources           sources;
    Diag              diag;
    Arena             ast;
    const StoredFile *predefined; /* classes of the language, once they are parsed */
} Session;

void        session_init(Session *session);
void        session_free(Session *session);
const char *name_of(const Session *session, Str str);
bool        session_is_keyword(const Session *session, const char *word);
/* The modifier name = value, or NULL. */
const Mod *mods_find(const Session *session, const Mods *mods, const char *name);

/* ---- parse.c ------------------------------------------------------------------------------------- */

/* Never NULL unless memory ran out; messages go to session->diag. */
const StoredFile *parse_source(Session *session, const Source *source);
/* Loads and parses; NULL and a message if the file cannot be read. */
const StoredFile *parse_file(Session *session, const char *path);
/* The same with a text; what: its name in messages. */
const StoredFile *parse_text(Session *session, const char *what, const char *text);
/* One expression, for values given on a command line: whole text must be one. */
Expr parse_expression_text(Session *session, const char *what, const char *text);
/* "(a = 1, b(c = 2))" that is not in a file; NULL after a message. */
const Mods *parse_modifiers_text(Session *session, const char *what, const char *text);

/* ---- literal.c ----------------------------------------------------------------------------------- */

/* Value of an unsigned number; false if it is out of range. */
bool number_decode(const char *text, uint32_t length, double *value);
/* Appends the characters of a string literal: quotes removed, escapes resolved. */
void string_decode(Text *out, const Session *session, Expr string);
/* The joined description of a comment. */
void comment_decode(Text *out, const Session *session, const Comment *comment);

/* ---- dump.c -------------------------------------------------------------------------------------- */

/* Everything but positions, one node a line. With remarks, also the comments' texts. */
void dump_file(Text *out, const Session *session, const StoredFile *file, bool remarks);

/* ---- format.c ------------------------------------------------------------------------------------ */

void format_file(Text *out, const Session *session, const StoredFile *file);
/* One expression on one line, as in messages. */
void        format_expr(Text *out, const Session *session, Expr expr);
const char *op_text(Op op);

/* ---- library.c ----------------------------------------------------------------------------------- */

typedef struct Package Package;

struct Package { /* a class with a file of its own                       */
    Str               name;
    Package          *parent; /* NULL for a top-level class                           */
    const StoredFile *file;
    const Class      *class_; /* NULL if the file had no class of that name           */
    const char       *folder; /* of a directory package; NULL for a single file       */
    const Str        *order;  /* names in package.order; NULL if there is none        */
    int               order_count;
    Map               member; /* Str -> index into Library.package, -1 known absent   */
};

typedef struct LibraryPlace { /* where a top-level class may be read from             */
    Str         name;
    const char *path; /* of a .mo file or of a package folder                 */
    bool        folder;
    bool        installed; /* named by the user, not only found around a file         */
} LibraryPlace;

/* Who reads and keeps files in place of parse_file; NULL: nobody. An editor has texts that are not
 * on disk, and parses a file once for any number of libraries. */
typedef struct LibraryReader {
    const StoredFile *(*read)(void *context, const char *path); /* NULL: reported */
    void *context;
} LibraryReader;

typedef struct Library {
    Session      *session;
    Arena         arena;
    LibraryPlace *place; /* libraries named one by one: searched first           */
    int           places, place_capacity;
    const char  **root; /* folders that hold libraries, in order of search      */
    int           roots, root_capacity;
    Package     **package; /* all packages met so far                              */
    int           packages, package_capacity;
    Map           top; /* Str -> index into package, -1 known absent           */
    int           files_read;
    bool          trust; /* code of all libraries may run                           */
    LibraryReader reader;
} Library;

void library_init(Library *library, Session *session);
void library_free(Library *library);
/* --library: a package folder, a .mo file or a folder that holds libraries. */
bool library_add(Library *library, const char *path);
/* MODELICAPATH (colon-separated; wrong entries are ignored there), then
 * HOME/.openmodelica/libraries. Either argument may be NULL. */
void library_add_defaults(Library *library, const char *modelicapath, const char *home);
/* Does a path lie in a library that the user installed or named? Only its code may run. */
bool library_installed(const Library *library, const char *path);
/* A note on where a library of that name was searched, after a message that it is missing. */
void library_searched(const Library *library, const char *name, const char *version);
/* A top-level class. version is one that a `uses` annotation asks for, or NULL. */
Package *library_top(Library *library, Str name, const char *version);
/* A class in a file of its own directly below a directory package. */
Package *library_member(Library *library, Package *outer, Str name);
/* Calls visit with every name that library_member would find, sorted. */
typedef void LibraryVisit(void *context, Str name);
void         library_each_member(Library *library, Package *outer, LibraryVisit *visit,
                                 void *context);
/* A file named by the user: its classes become top-level classes, or, if it starts with `within A.B`,
 * members of the library it lies in, which is added. text: what it contains, NULL: read it. NULL:
 * reported. */
const StoredFile *library_open(Library *library, const char *path, const char *text);
/* The file that a URI modelica://Package/path names; false if it is none or there is no such
 * library. resource.c */
bool library_resource(Library *library, const char *uri, Text *path);
/* A class by its full name a.b.c, also nested inside files; NULL if there is none. */
const Class *library_class(Library *library, const char *name);

/* ---- tokens.c ------------------------------------------------------------------------------------ */

typedef enum {
    SPAN_KEYWORD,
    SPAN_NAME,
    SPAN_NUMBER,
    SPAN_STRING,
    SPAN_OPEN,  /* ( [ { */
    SPAN_CLOSE, /* ) ] } */
    SPAN_COMMA,
    SPAN_SEMICOLON,
    SPAN_DOT,
    SPAN_OPERATOR,
    SPAN_REMARK /* a comment */
} SpanKind;

typedef struct Span { /* a word of the text                                            */
    Pos      pos;
    uint32_t length; /* bytes                                                         */
    uint8_t  kind;   /* SpanKind                                                      */
    Str      name;   /* of names and keywords                                         */
} Span;

typedef struct Spans {
    Span *item; /* in the order of the text                                           */
    int   count, room;
} Spans;

Spans spans_of(Session *session, const Source *source, Arena *arena); /* no messages */
int   spans_find(const Spans *spans, Pos pos); /* that begins there or before, -1 none */

/* ---- visit.c ------------------------------------------------------------------------------------- */

typedef enum {
    USE_VALUE,      /* part of a component reference in an expression                 */
    USE_FUNCTION,   /* part of the name of what is called                             */
    USE_TYPE,       /* part of the name of a class: type, base, constraint            */
    USE_IMPORT,     /* part of the name after import                                 */
    USE_WITHIN,     /* part of the name after within                                 */
    USE_ARGUMENT,   /* name of a named argument                                       */
    USE_MODIFIER,   /* name in a modification                                         */
    USE_ANNOTATION, /* name in an annotation                                          */
    USE_FIELD,      /* (expression).name                                              */
    DECLARES_CLASS,
    ENDS_CLASS, /* the name after `end`                                              */
    DECLARES_COMPONENT,
    DECLARES_LITERAL,
    DECLARES_ITERATOR,
    DECLARES_IMPORT /* a new name for what is imported                                */
} UseRole;

typedef struct
    ClassScope { /* the classes around a name, innermost first; short ones are none */
    const struct ClassScope *outer; /* NULL for the outermost                         */
    const Class             *class_;
} ClassScope;

typedef struct IteratorScope { /* iterators around a name, innermost first */
    const struct IteratorScope *outer;
    const Iterator             *iterator;
} IteratorScope;

typedef struct ModScope { /* what a modifier modifies: of(outer mod(mod ...))         */
    const struct ModScope *outer; /* NULL: the modification of `of`                   */
    const Name            *of;    /* class: type of a component, base; of the outermost */
    const Mod             *mod;   /* modifier around it; NULL at the outermost        */
} ModScope;

typedef struct
    NameUse { /* a name in a text                                              */
    uint8_t              role; /* UseRole                                             */
    Str                  name;
    Pos                  pos;
    const Name          *path; /* the whole of a composite name; NULL                 */
    int                  part; /* number of it in path                                */
    bool                 annotation; /* somewhere in an annotation                    */
    bool                 assigned;   /* what an assignment or equation begins with    */
    const ClassScope    *in;
    const IteratorScope *iterators;
    const ModScope      *modifies;  /* of USE_MODIFIER                                */
    const Call          *call;      /* of USE_ARGUMENT                                */
    const Element       *element;   /* of declarations; NULL                          */
    const Component     *component; /* of DECLARES_COMPONENT; NULL                    */
    const Class         *class_;    /* of DECLARES_CLASS, DECLARES_LITERAL            */
    const Field         *field;     /* of USE_FIELD                                   */
} NameUse;

typedef bool VisitUse(void          *context,
                      const NameUse *use); /* true: no more                */
/* Calls visit for each name, in the order of the text as far as the tree has it. */
bool visit_file(const StoredFile *file, VisitUse *visit, void *context);
/* The same for the class, in the classes around it. */
bool visit_class(const Class *class_, const ClassScope *around, VisitUse *visit,
                 void *context);

#endif
