#!/usr/bin/env python3
# long
"""docs/security.md line by line: each numbered line has the test of that number."""
import os
import re
import shutil
import stat
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
RUBATO = os.path.join(os.environ["RUBATO_BUILD"], "rubato")
WORK = tempfile.mkdtemp()
CACHE = os.path.join(WORK, "cache")

LIBRARY = """package Lib
  function shell "starts a program"
    input String s;
    output Integer r;
    external "C" r = lib_shell(s);
  end shell;
  function put
    input String s;
    output Integer r;
    external "C" r = lib_put(s);
  end put;
  function delete
    input String s;
    output Integer r;
    external "C" r = lib_delete(s);
  end delete;
  function environment
    input String s;
    output Integer r;
    external "C" r = lib_environment(s);
  end environment;
  function letters "of a file"
    input String s;
    output Integer r;
    external "C" r = lib_letters(s);
  end letters;
  function by "another way"
    input String s;
    output Integer r;
    external "C" r = lib_by(s);
  end by;
  function system "of the C library itself"
    input String s;
    output Integer r;
    external "C" r = system(s);
  end system;
end Lib;
"""
CODE = r"""
#include <stdio.h>
#include <stdlib.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <wordexp.h>
int lib_shell(const char *s) { return system(s); }
int lib_by(const char *s) {
    char *argv[] = {"touch", VICTIM, NULL}; pid_t pid; wordexp_t words;
    if (!strcmp(s, "dlsym")) return ((int (*)(const char *))dlsym(RTLD_DEFAULT, "system"))("touch " VICTIM);
    if (!strcmp(s, "syscall")) return (int)syscall(SYS_mkdirat, AT_FDCWD, VICTIM, 0700);
    if (!strcmp(s, "posix_spawn")) return posix_spawn(&pid, "/usr/bin/touch", NULL, NULL, argv, argv + 2);
    if (!strcmp(s, "execl")) return execl("/usr/bin/touch", "touch", VICTIM, NULL);
    if (!strcmp(s, "wordexp")) return wordexp("$(touch " VICTIM ")", &words, 0);
    if (!strcmp(s, "mkdirat")) return mkdirat(AT_FDCWD, VICTIM, 0700);
    if (!strcmp(s, "vfork")) return vfork();
    return openat(AT_FDCWD, "/etc/passwd", O_RDONLY);
}
int lib_put(const char *s) { FILE *f = fopen(s, "w"); fputs("x", f); return fclose(f); }
int lib_delete(const char *s) { return remove(s); }
int lib_environment(const char *s) { return getenv(s) ? 1 : 0; }
int lib_letters(const char *s) {
    FILE *f = fopen(s, "r"); int n = 0;
    if (!f) return -1;
    while (fgetc(f) != EOF) n++;
    fclose(f);
    return n;
}
"""


def write(path, text):
    path = os.path.join(WORK, path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as f:
        f.write(text)
    return path


write("libs/Lib/package.mo", LIBRARY)
VICTIM = os.path.join(WORK, "victim")
CODE = "#define _GNU_SOURCE\n#define VICTIM \"" + VICTIM + "\"\n" + CODE
write("libs/Lib/Resources/C-Sources/lib.c", CODE)
write("libs/Lib/Resources/four.txt", "four")
write("libs/outside.txt", "outside")
write("own/own.txt", "three")


def run(*words, env=None, folder=None):
    environment = dict(os.environ, XDG_CACHE_HOME=CACHE, MODELICAPATH="")
    environment.update(env or {})
    environment = {k: v for k, v in environment.items() if v is not None}
    return subprocess.run([RUBATO, *words], capture_output=True, text=True, env=environment,
                          cwd=folder or WORK)


def model(call, translating=False):
    """A model that calls a function at the start, or while it is translated."""
    size = "Real y[n + 10] = ones(n + 10);" if translating else "Real y = n;"
    return write("own/M.mo", f"model M\n  parameter Integer n = {call};\n  {size}\nend M;\n")


def simulate(call, *options, translating=False, env=None):
    path = model(call, translating)
    return run("simulate", path, "--library", os.path.join(WORK, "libs"), "--output", "-",
               "--intervals", "1", *options, env=env)


def refused(p, *words):
    assert p.returncode in (1, 3), (p.returncode, p.stdout, p.stderr)
    for word in words:
        assert word in p.stderr, (word, p.stderr)


def value(p):
    assert p.returncode == 0, p.stderr
    header, first = p.stdout.splitlines()[:2]
    return float(first.split(",")[header.split(",").index('"y"')])


def both(call, text):
    refused(simulate(call), text)
    refused(simulate(call, translating=True), text)


def own_code_is_not_run():
    write("near/Near/package.mo", LIBRARY.replace("Lib", "Near").replace(
        "end Near;", "model M\n  parameter Integer n = shell(\"touch " + VICTIM +
        "\");\n  Real y = n;\nend M;\nend Near;"))
    write("near/Near/Resources/C-Sources/lib.c", CODE)
    p = run("simulate", os.path.join(WORK, "near/Near/package.mo"), "--model", "Near.M")
    refused(p, "'lib_shell' is not available", "--trust")
    p = run("check", os.path.join(WORK, "near/Near/package.mo"), "--model", "Near.M")
    assert not os.path.exists(VICTIM)


def no_programs():
    both(f'Lib.shell("touch {VICTIM}")', f'system("touch {VICTIM}") is refused')
    for way in "dlsym", "syscall", "posix_spawn", "execl", "wordexp", "mkdirat", "vfork", "openat":
        refused(simulate(f'Lib.by("{way}")'), way + "(")
        assert not os.path.exists(VICTIM), way


def no_writing():
    both(f'Lib.put("{VICTIM}")', f'fopen("{VICTIM}") is refused')
    assert not os.path.exists(VICTIM)


def no_deleting():
    path = write("kept", "x")
    both(f'Lib.delete("{path}")', "remove(")
    assert os.path.exists(path)


def no_environment():
    both('Lib.environment("HOME")', 'getenv("HOME") is refused')


def reads_own():
    assert value(simulate(f'Lib.letters("{WORK}/own/own.txt")')) == 5


def reads_library():
    assert value(simulate(f'Lib.letters("{WORK}/libs/Lib/Resources/four.txt")')) == 4


def reads_nothing_else():
    link = os.path.join(WORK, "own/link.txt")
    os.symlink("/etc/passwd", link)
    refused(simulate(f'Lib.letters("{link}")'), "is refused")
    both('Lib.letters("/etc/passwd")', "models read files only below their own folders")
    both(f'Lib.letters("{WORK}/own/../libs/outside.txt")', "is refused")


def no_function_of_the_system():
    p = simulate(f'Lib.system("touch {VICTIM}")')
    refused(p, "'system' is a function of the system (--trust allows it)")
    assert not os.path.exists(VICTIM)


def no_way_up():
    call = 'Lib.letters("modelica://Lib/{}four.txt")'
    assert value(simulate(call.format("Resources/"))) == 4
    refused(simulate(call.format("../Lib/Resources/")), "modelica://Lib/../Lib")


def refusals_are_located():
    p = simulate(f'Lib.put("{VICTIM}")')
    refused(p, f'Lib/package.mo:7:12: error R115', f'fopen("{VICTIM}") is refused')


def results_stay_here():
    folder = os.path.join(WORK, "deep/here")
    os.makedirs(os.path.join(folder, "'.."))
    write("deep/here/Q.mo", "model '../../out'\n  Real x(start = 1) = time;\nend '../../out';\n")
    for command in "simulate", "linearize", "fmu", "sweep":
        run(command, "Q.mo", folder=folder)
    assert os.path.exists(os.path.join(folder, "'.._.._out'_res.mat")), os.listdir(folder)
    assert sorted(os.listdir(os.path.join(WORK, "deep"))) == ["here"], os.listdir(WORK)


def trust_allows():
    assert value(simulate(f'Lib.shell("touch {VICTIM}")', "--trust")) == 0
    assert os.path.exists(VICTIM)
    assert value(simulate(f'Lib.delete("{VICTIM}")', "--trust")) == 0
    assert not os.path.exists(VICTIM)
    assert value(simulate('Lib.environment("PATH")', "--trust")) == 1
    assert value(simulate(f'Lib.system("touch {VICTIM}")', "--trust")) == 0
    os.remove(VICTIM)


def cache_is_private():
    folder = os.path.join(CACHE, "rubato")
    assert stat.S_IMODE(os.stat(folder).st_mode) == 0o700
    os.chmod(folder, 0o777)
    value(simulate("3"))
    assert stat.S_IMODE(os.stat(folder).st_mode) == 0o700


def cache_of_others():
    other = os.path.join(WORK, "other")
    os.makedirs(other)
    os.symlink(CACHE, os.path.join(other, "rubato"))
    p = simulate("3", env={"XDG_CACHE_HOME": other})
    assert value(p) == 3 and "is no folder of yours, so nothing is kept there" in p.stderr
    if os.geteuid() == 0:
        folder = os.path.join(WORK, "foreign", "rubato")
        os.makedirs(folder)
        os.chown(folder, 12345, 12345)
        p = simulate("3", env={"XDG_CACHE_HOME": os.path.dirname(folder)})
        assert value(p) == 3 and "is no folder of yours" in p.stderr
        assert not os.listdir(folder)


def no_shared_cache():
    before = set(os.listdir("/tmp"))
    p = simulate("3", env={"XDG_CACHE_HOME": None, "HOME": None})
    assert value(p) == 3
    made = {n for n in set(os.listdir("/tmp")) - before if n in ("rubato", ".cache", ".rubato")}
    assert not made, made


def objects():
    folder = os.path.join(CACHE, "rubato")
    return [os.path.join(folder, n) for n in os.listdir(folder) if n.endswith(".so")]


def code_is_verified():
    call = f'Lib.letters("{WORK}/own/own.txt")'
    assert value(simulate(call)) == 5
    assert objects()
    for path in objects():
        with open(path, "r+b") as f:
            f.seek(200)
            f.write(b"damaged")
    assert value(simulate(call, "--no-cache")) == 5
    for path in objects():
        os.truncate(path, os.path.getsize(path) // 2)
    assert value(simulate(call, "--no-cache")) == 5


def programs_are_verified():
    folder = os.path.join(CACHE, "rubato")
    assert value(simulate("7")) == 7
    for name in os.listdir(folder):
        if name.endswith(".rbp"):
            path = os.path.join(folder, name)
            with open(path, "r+b") as f:
                f.seek(os.path.getsize(path) // 2)
                f.write(b"damaged")
    assert value(simulate("7")) == 7


def cache_has_a_limit():
    folder = os.path.join(CACHE, "rubato")
    for k in range(12):
        assert value(simulate(str(k), env={"RUBATO_CACHE_BYTES": "300000"})) == k
    total = sum(os.path.getsize(os.path.join(folder, n)) for n in os.listdir(folder))
    assert 0 < total <= 300000, total


TESTS = [own_code_is_not_run, no_programs, no_writing, no_deleting, no_environment, reads_own,
         reads_library, reads_nothing_else, no_function_of_the_system, no_way_up,
         refusals_are_located, results_stay_here, trust_allows, cache_is_private, cache_of_others, no_shared_cache,
         code_is_verified, programs_are_verified, cache_has_a_limit]

with open(os.path.join(ROOT, "docs", "security.md")) as f:
    numbers = [int(n) for n in re.findall(r"^(\d+)\. ", f.read(), re.M)]
assert numbers == list(range(1, len(TESTS) + 1)), numbers
failed = False
for number, test in enumerate(TESTS, 1):
    try:
        test()
    except AssertionError as e:
        failed = True
        print(f"line {number} of docs/security.md, {test.__name__}: {e}")
shutil.rmtree(WORK, ignore_errors=True)
sys.exit(1 if failed else 0)
