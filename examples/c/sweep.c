/* sweep.c -- one translated model, many simulations: the filter of Circuit.mo for five resistors.
 *
 *     cc sweep.c $(pkg-config --cflags --libs rubato) -o sweep && ./sweep Circuit.mo */
#include <rubato.h>
#include <stdio.h>

static int failed(const RbError *error) {
    fprintf(stderr, "%s:%d: %s\n", error->file, error->line, error->text);
    return 1;
}

int main(int argc, char **argv) {
    RbError     error;
    RbRequest   request = {.target = argc > 1 ? argv[1] : "examples/Circuit.mo",
                           .model = "Circuit.Filter"};
    RbCompiler *compiler = rb_compiler_new(NULL, &error);
    RbProgram  *program = compiler ? rb_translate(compiler, &request, &error) : NULL;
    rb_compiler_free(compiler);
    if (!program) return failed(&error);
    printf("%8s %12s %12s\n", "r1.R", "c1.v", "c2.v");
    for (int k = 1; k <= 5; k++) {
        RbSimulation *s = rb_simulation_new(program, NULL, &error);
        if (!s || rb_set(s, "r1.R", 100.0 * k, &error) || rb_run(s, &error))
            return failed(&error);
        printf("%8g %12.6f %12.6f\n", rb_get(s, "r1.R"), rb_get(s, "c1.v"),
               rb_get(s, "c2.v"));
        rb_simulation_free(s);
    }
    rb_program_free(program);
    return 0;
}
