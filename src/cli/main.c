/* SPDX-License-Identifier: Apache-2.0 */
/* main.c -- the command. */
#include <stdio.h>

int main(void) {
    puts("rubato");
    return 2;
}
