# long
"""External C: what is included or linked changes, where libraries are found, ModelicaUtilities.h."""
import csv
import io
import json
import math
import os
import platform
import subprocess
import time

TMP = os.path.join(os.environ["TMPDIR"], "ext")
RUBATO = os.path.join(os.path.abspath(os.environ["RUBATO_BUILD"]), "rubato")
PLATFORM = {"x86_64": "linux64", "aarch64": "aarch64-linux"}.get(platform.machine(), "linux32")

MODEL = """model M
  function f
    input Real x;
    output Real y;
    external "C" y = ext_f(x) annotation(%s);
  end f;
  Real y = f(2 + 0*time);
end M;
"""


def write(name, text):
    path = os.path.join(TMP, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as f:
        f.write(text)
    return path


def compile_to(name, text, *flags):
    path = os.path.join(TMP, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    subprocess.run([*os.environ.get("CC", "cc").split(), *flags, "-o", path, write("source.c", text)], check=True)
    return path


def value(annotation, expect=0):
    model = write("M.mo", MODEL % annotation)
    env = dict(os.environ, XDG_CACHE_HOME=os.path.join(TMP, "cache"))
    p = subprocess.run([RUBATO, "simulate", model, "--trust", "--quiet", "--stop", "1", "--intervals", "1",
                        "--output", "-"], capture_output=True, text=True, env=env)
    assert p.returncode == expect, p.stderr + p.stdout
    if expect:
        return p.stderr
    rows = list(csv.reader(io.StringIO(p.stdout)))
    return float(rows[1][rows[0].index("y")])


def test_headers():
    """A header in another folder, included by a header, is part of the key."""
    write("deep/inner.h", "#define FACTOR 3\n")
    write("inc/outer.h", '#include "../deep/inner.h"\nstatic double ext_f(double x) { return FACTOR*x; }\n')
    text = 'Include = "#include \\"outer.h\\"", IncludeDirectory = "file://%s/inc"' % TMP
    assert value(text) == 6
    assert value(text) == 6
    time.sleep(0.02)  # stamps have the resolution of the file system
    write("deep/inner.h", "#define FACTOR 5\n")
    assert value(text) == 10


def test_static_library():
    """A library that is linked into the object is part of the key."""
    text = 'Library = "mine", LibraryDirectory = "file://%s/lib"' % TMP
    for factor in 2, 7:
        compile_to("mine.o", "double ext_f(double x) { return %d*x; }\n" % factor, "-c", "-fPIC")
        os.makedirs(os.path.join(TMP, "lib"), exist_ok=True)
        subprocess.run(["ar", "rcs", os.path.join(TMP, "lib/libmine.a"), os.path.join(TMP, "mine.o")], check=True)
        assert value(text) == 2*factor
        time.sleep(0.02)


def test_platform_folder():
    """The folder of the platform comes before the folder itself; shared objects are found when loading."""
    compile_to("dir/libboth.so", "double ext_f(double x) { return -x; }\n", "-shared", "-fPIC")
    text = 'Library = "both", LibraryDirectory = "file://%s/dir"' % TMP
    assert value(text) == -2
    compile_to("dir/%s/libboth.so" % PLATFORM, "double ext_f(double x) { return 4*x; }\n", "-shared", "-fPIC")
    assert value(text) == 8


def test_full_path():
    path = compile_to("else/libwhere.so", "double ext_f(double x) { return x + 40; }\n", "-shared", "-fPIC")
    assert value('Library = "%s"' % path) == 42


def test_utilities():
    """ModelicaUtilities.h is found although nobody brings it, and its functions are those of the tool."""
    code = ('#include \\"ModelicaUtilities.h\\"\nstatic double ext_f(double x) { '
            'if (x > 1) ModelicaFormatError(\\"too large: %g\\", x); return x; }')
    text = value('Include = "%s"' % code, 3)
    assert "too large: 2" in text and "M.mo:2:12" in text, text


def test_missing():
    """A symbol or a library that is not there is a located message."""
    text = value('Library = "nowhere_at_all"', 3)
    assert "M.mo:2:12" in text and "nowhere_at_all" in text, text
    text = value('Include = "/* nothing */ double other(double);"', 3)
    assert "M.mo:2:12" in text and "ext_f" in text, text


def test_derivative():
    """A function without a derivative is differenced alone: the Jacobian stays generated code."""
    model = write("Stiff.mo", """model Stiff
  function total
    input Real v[:];
    output Real s = 0;
  algorithm
    for i in 1:size(v, 1) loop
      s := s + v[i];
    end for;
  end total;
  function soft
    input Real x;
    output Real y;
    external "C" y = soft(x) annotation(Include = "static double soft(double x) { return x/2 + x*x*x; }");
  end soft;
  parameter Integer n = 2;
  Real x[n](each start = 0, each fixed = true);
equation
  der(x[1]) = 1000*(cos(time) - soft(x[1]) - total(x));
  der(x[2]) = -x[2];
end Stiff;
""")
    found = os.path.join(TMP, "stiff.json")
    subprocess.run([RUBATO, "simulate", model, "--trust", "--quiet", "--tolerance", "1e-8", "--stop", "1",
                    "--stats", found, "--output", os.path.join(TMP, "stiff.csv")], check=True)
    with open(found, encoding="utf-8") as f:
        counts = json.load(f)
    assert counts["jacobians"] > 1 and counts["jacobians_differenced"] == 0, counts
    with open(os.path.join(TMP, "stiff.csv"), encoding="utf-8") as f:
        x = float(list(csv.DictReader(f))[-1]["x[1]"])
    assert abs(1.5*x + x**3 - math.cos(1)) < 2e-3, x


LIBRARY = """package P
  function f
    input Real x;
    output Real y;
    external "C" y = p_f(x) annotation(Include = "#include \\"p.h\\"", Library = "not_installed");
  end f;
  model M
    Real y = f(2 + 0*time);
  end M;
end P;
"""


def compiler_calls(arguments, folder):
    """The exit status, and how often the C compiler was called."""
    log = os.path.join(TMP, "calls")
    cc = write("counted_cc", '#!/bin/sh\necho call >>"%s"\nexec cc "$@"\n' % log)
    os.chmod(cc, 0o755)
    write("calls", "")
    env = dict(os.environ, XDG_CACHE_HOME=os.path.join(TMP, folder), CC=cc)
    p = subprocess.run([RUBATO, "simulate", *arguments, "--quiet", "--no-cache", "--tier", "0", "--stop", "1", "--output",
                        os.path.join(TMP, "calls.csv")], capture_output=True, text=True, env=env)
    with open(log, encoding="utf-8") as f:
        return p, len(f.readlines())


def test_folder_of_sources():
    """Sources of a library are compiled one by one, once; what it defines is not looked for elsewhere."""
    write("P/package.mo", LIBRARY)
    write("P/Resources/Include/p.h", "double p_f(double x);\n")
    write("P/Resources/C-Sources/p.c", "extern void nobody(void) __attribute__((weak));\n"
          "double p_f(double x) { if (nobody) nobody(); return 3*x; }\n")
    write("P/Resources/C-Sources/q.c", "double p_g(double x) { return x; }\n")
    model = ["P.M", "--library", TMP]
    first, calls = compiler_calls(model, "cache_sources")
    assert first.returncode == 0 and calls == 3, (calls, first.stderr) # two files, and the link
    with open(os.path.join(TMP, "calls.csv"), encoding="utf-8") as f:
        assert float(list(csv.DictReader(f))[-1]["y"]) == 6
    again, calls = compiler_calls(model, "cache_sources")
    assert again.returncode == 0 and calls == 0, (calls, again.stderr)
    write("P/Resources/C-Sources/q.c", "double p_g(double x) { return x }\n")
    wrong, _ = compiler_calls(model, "cache_sources")
    assert wrong.returncode == 3 and "q.c:1:" in wrong.stderr and "expected" in wrong.stderr, wrong.stderr


if __name__ == "__main__":
    os.makedirs(TMP, exist_ok=True)
    for name, test in list(globals().items()):
        if name.startswith("test_"):
            test()
