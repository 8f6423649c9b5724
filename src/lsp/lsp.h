/* SPDX-License-Identifier: Apache-2.0 */
/* lsp.h -- the language server: the compiler behind an editor (Language Server Protocol 3.17).
 *
 *   wire.c        messages on two file descriptors; has the editor more to say?
 *   place.c       positions: UTF-16 columns of the protocol, bytes of ours
 *   document.c    texts the editor has open, and its changes
 *   kept.c       parsed files, each read once until it changes
 *   world.c       libraries and classes as they are now; thrown away at every change
 *   check.c       messages: syntax at once, the rest after a pause, ended by the next keystroke
 *   server.c      the loop, the table of requests, beginning and end
 *   symbols.c     outline, folding, classes of the workspace
 *   find.c        the name under the cursor
 *   hover.c       type, unit, value, documentation
 *   search.c      every place of a name, in files that are open or not
 *   define.c      definition, type definition, references
 *   rename.c      another name, and its files
 *   complete.c    completion, signature help
 *   colour.c      semantic tokens, inlay hints
 *   action.c      code actions, code lens
 *   layout.c      formatting
 *
 * How it works. One thread. Parsed files are kept by path and are valid as long as their text is.
 * What follows from several files (libraries, classes, instances) is made anew after every change, by
 * the same code that translates, from kept trees: there is nothing to update, so the server cannot
 * differ from a fresh start. A check asks now and then whether the editor has sent something, and
 * gives up if it has. */
#ifndef RUBATO_LSP_H
#define RUBATO_LSP_H

#include "base/base.h"

typedef struct LspSettings {
    int                in, out; /* file descriptors */
    const char *const *library; /* as of --library */
    int                libraries;
    const char        *modelicapath, *home, *own; /* further places of libraries; NULL */
    const char        *version;
    bool               trust;
} LspSettings;

/* Serves until the editor ends it; the exit status the protocol asks for. */
int lsp_serve(const LspSettings *settings);

#endif
