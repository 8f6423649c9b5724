"""What `make install` puts into a folder is enough to build and run a program, and for Python."""
import os
import shlex
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TMP, BUILD = os.environ["TMPDIR"], os.environ["RUBATO_BUILD"]
if os.environ["RUBATO_SANITIZED"]:
    sys.exit(77)


def run(*command, **more):
    p = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, **more)
    assert p.returncode == 0, (command, p.stdout, p.stderr)
    return p.stdout


env = {k: v for k, v in os.environ.items() if not k.startswith(("MAKE", "MFLAGS", "RUBATO"))}
run("make", "install", f"BUILD={BUILD}", "PREFIX=/opt/rubato", f"DESTDIR={TMP}/root", env=env)
place = f"{TMP}/root/opt/rubato"
files = sorted(os.path.relpath(os.path.join(folder, f), place)
               for folder, _, names in os.walk(place) for f in names)
# the Modelica libraries that come with the program, all of them
shipped = sorted("share/rubato/" + os.path.relpath(os.path.join(folder, f), ROOT)
                 for folder, _, names in os.walk(os.path.join(ROOT, "lib")) for f in names)
assert "share/rubato/lib/Rubato/package.mo" in shipped
# the runtime as sources
with open(os.path.join(BUILD, "fmu-sources", "list"), encoding="utf-8") as f:
    runtime = sorted(f.read().split() + ["list"])
assert "fmi/entry3.c" in runtime and "live_instance.c" in runtime
shipped += [f"share/rubato/fmu-sources/{name}" for name in runtime]
# built where minizip and expat, or MPI, were found
optional = [f"lib/{name}" for name in ("librubato_fmu.so", "librubato_mpi.so")
            if os.path.exists(os.path.join(BUILD, name))]
assert files == ["bin/rubato", "include/rubato.h", "lib/librubato.a", "lib/librubato.so",
                 "lib/librubato.so.0", *optional, "lib/pkgconfig/rubato.pc", "share/man/man1/rubato.1",
                 *sorted(shipped), "share/rubato/python/rubato.py"], files
found = run(f"{place}/bin/rubato", "check", "Rubato.Planar.Examples.CraneCrab", env=env)
assert "4 states" in found, found
assert os.readlink(f"{place}/lib/librubato.so") == "librubato.so.0"
with open(f"{place}/lib/pkgconfig/rubato.pc", encoding="utf-8") as f:
    assert "prefix=/opt/rubato\n" in f.read()

flags = [f"-I{place}/include", f"-L{place}/lib", "-lrubato"]
config = shutil.which("pkg-config")
if config:
    asked = dict(env, PKG_CONFIG_PATH=f"{place}/lib/pkgconfig", PKG_CONFIG_SYSROOT_DIR=f"{TMP}/root")
    flags = run(config, "--cflags", "--libs", "rubato", env=asked).split()
    assert "-ltcc" in run(config, "--static", "--libs", "rubato", env=asked)
else:
    print("pkg-config is missing: flags by hand")
run(*shlex.split(os.environ.get("CC", "cc")), "examples/c/sweep.c", *flags, "-o", f"{TMP}/sweep")
table = run(f"{TMP}/sweep", env=dict(env, LD_LIBRARY_PATH=f"{place}/lib"))
assert table == run(f"{BUILD}/examples/sweep"), table
# the module finds the library from where it is installed
assert "4.15" in run(sys.executable, "examples/python/sweep.py",
                     env=dict(env, PYTHONPATH=f"{place}/share/rubato/python"))
assert run(f"{place}/bin/rubato", "--version") == run(f"{BUILD}/rubato", "--version")
man = shutil.which("man")
if man:
    page = run(man, "-l", f"{place}/share/man/man1/rubato.1", env=dict(env, MANPAGER="cat", MANWIDTH="80"))
    for word in "simulate", "check", "explain", "--tolerance", "EXIT STATUS":
        assert word in page, word
