double ext_twice(double x) {
    return 2 * x;
}

#include <stddef.h>
#include <stdio.h>
#include <math.h>
#include <stdlib.h>

void  ModelicaError(const char *text);
void  ModelicaFormatMessage(const char *format, ...);
char *ModelicaAllocateString(size_t length);

/* Sums of the rows; k + b + the length of s; a text of s and the sizes. */
int ext_mix(const double *a, size_t rows, size_t columns, int k, int b, const char *s,
            double *y, char **t) {
    int length = 0;
    while (s[length]) length++;
    for (size_t i = 0; i < rows; i++) {
        y[i] = 0;
        for (size_t j = 0; j < columns; j++) y[i] += a[i * columns + j];
    }
    *t = ModelicaAllocateString(20);
    snprintf(*t, 20, "%s/%dx%d", s, (int)rows, (int)columns);
    return k + b + length;
}

int ext_fails(double x) {
    if (x > 2) ModelicaError("x is too large\n");
    return 1;
}

/* The number that a file begins with. */
double ext_read(const char *name) {
    double x = -1;
    FILE  *file = fopen(name, "r");
    if (!file) ModelicaError("no such file\n");
    if (fscanf(file, "%lf", &x) != 1) x = -2;
    fclose(file);
    return x;
}

/* A line a x + b that is kept behind a pointer, and how many of them there are. */
typedef struct Line {
    double a, b;
} Line;

static int lines;

void *ext_line_new(double a, double b) {
    Line *line = malloc(sizeof *line);
    if (!line) ModelicaError("no memory");
    *line = (Line){a, b};
    lines++;
    return line;
}

void ext_line_free(void *line) {
    ModelicaFormatMessage("the line %g x + %g ends\n", ((Line *)line)->a,
                          ((Line *)line)->b);
    lines--;
    free(line);
}

double ext_line_at(void *line, double x) {
    return ((Line *)line)->a * x + ((Line *)line)->b;
}

/* The line goes on to the step that x is on; where the next one begins. */
double ext_line_step(void *line, double x) {
    ((Line *)line)->b = floor(x);
    return ((Line *)line)->b + 1;
}

int ext_lines(double x) {
    return x >= 0 ? lines : -1;
}

/* What a model has to define. */
double ext_given(double x);

double ext_uses(double x) {
    return ext_given(x) + 1;
}

/* What a model may define. */
__attribute__((weak)) double ext_weak(double x) {
    return -x;
}

double ext_asks(double x) {
    return ext_weak(x) + 2;
}
