#!/usr/bin/env python3
# long
# SPDX-License-Identifier: Apache-2.0
"""Every rule for powers of THETA, broken once in each way that a modeller may break it: one error with its code, at its place,
that names the terms. The place is where the text marked by << >> begins. At the end what the rules allow."""
import json
import os
import subprocess

RUBATO, WORK = os.path.join(os.environ["RUBATO_BUILD"], "rubato"), os.environ["TMPDIR"]
FINITE = "'THETA' is of the order THETA^1, but must be finite"
NEEDED = "the value of 'THETA' is needed here, but it has none"
INSTANT = "'THETA' is of the order THETA^1 in a when-clause or between clocks"
SLOW = "x: its derivative is infinitely small, so that it never moves"
PINS = """connector Pin
  Real v;
  flow Real i;
end Pin;
model Source
  Pin p;
equation
  p.i = -Rubato.THETA;
end Source;
model Load
  Pin p;
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
  p.i = 1 + x;
end Load;
Source s;
Load l;
"""
COMPONENT = """model C
  parameter Real THETA = 1.0;
  Real x(start = 1);
equation
  THETA*der(x) = -x;
end C;
"""
LOOP = """function f
  input Real a;
  output Real b;
algorithm
  b := a*<<Rubato.THETA>>;
  while b > 10 loop
    b := b/2;
  end while;
end f;
"""
T, X, XY = "parameter Real THETA = 1;\n", "Real x(start = 1);\n", "Real x(start = 1), y(start = 1, fixed = true);\n"
WRONG = [  # what is wrong, declarations, equations, code, message
    # the power is an integer
    ("a root", T + X, "<<sqrt(THETA)>>*der(x) = -x;", "H102", FINITE),
    ("a power that is no integer", T + X, "<<THETA>>^0.5*der(x) = -x;", "H102", FINITE),
    ("a power that is not known", T + X + "parameter Real p = 2;\n", "<<THETA>>^p*der(x) = -x;", "H102", FINITE),
    ("as an exponent", T + X, "<<2>>^THETA*der(x) = -x;", "H102", FINITE),
    ("half a power of an unknown", T + X + "Real c(start = 1);\n", "<<c*c>> = THETA;\nc*der(x) = -x;", "H101",
     "'c*c' is of the order THETA^(2*n) with an unknown n, but 'THETA' is of the order THETA^1"),
    # functions
    ("rounded", T + X, "<<integer>>(THETA)*der(x) = -x;", "H102", FINITE),
    ("as a delay", T + X + "Real w;\n", "THETA*der(x) = -x;\n<<w>> = delay(x, THETA);", "H102", FINITE),
    ("printed", T + X, 'THETA*der(x) = -x;\n<<assert>>(x < 5, "at " + String(THETA));', "H102", FINITE),
    ("a fast rate in a function", T + XY, "THETA*der(x) = y - x;\n<<der(y)>> = sin(der(x)) - y;", "H102",
     "'der(x)' is of the order THETA^-1, but must be finite"),
    ("inside of a function", LOOP + X, "f(1e-3)*der(x) = -x;", "H102",
     "'THETA' in statements that are computed as a function: it is of the order THETA^1, but must be finite"),
    # terms, sides, branches, arguments that must agree
    ("the larger one", T + X, "<<max(THETA, 1)>>*der(x) = -x;", "H101", "'THETA' is of the order THETA^1, but '1.0' is of the order THETA^0"),
    ("a homotopy", T + X, "<<homotopy(THETA, 1)>>*der(x) = -x;", "H101", "'THETA' is of the order THETA^1, but '1' is of the order THETA^0"),
    ("two slopes", T + X, "<<semiLinear>>(x, THETA, 1) = der(x);", "H101", "'THETA' is of the order THETA^1, but '1' is of the order THETA^0"),
    ("a relation", T + XY, "<<THETA>>*der(x) = if THETA*y > x then y - x else -x;\nder(y) = -x;", "H101",
     "'THETA*y' is of the order THETA^1, but 'x' is of the order THETA^0"),
    ("an assertion", T + X, 'THETA*der(x) = -x;\n<<assert>>(THETA > 0.5, "");', "H101",
     "'THETA' is of the order THETA^1, but '0.5' is of the order THETA^0"),
    ("a statement", T + X + "Real w;\n", "THETA*der(x) = -x;\nalgorithm\n<<w>> := THETA + x;", "H101",
     "'THETA' is of the order THETA^1, but 'x' is of the order THETA^0"),
    ("an input", "input Real u;\n" + X, "<<der>>(x) = u*Rubato.THETA - x;", "H101", "'u*THETA' is of the order THETA^1, but '-x' is of the order THETA^0"),
    ("an initial equation", T + X, "der(x) = -x;\ninitial equation\n<<x>> = THETA;", "H101",
     "'x' is of the order THETA^0, but 'THETA' is of the order THETA^1"),
    ("elements of an array", T + "Real v[2](each start = 1);\n", "<<THETA>>*der(v) = -v + {1, THETA};", "H101",
     "'-v[2]' is of the order THETA^0, but 'THETA' is of the order THETA^1"),
    ("a sum over an array", T + X, "<<sum>>({THETA, 1})*der(x) = -x;", "H101", "'THETA' is of the order THETA^1, but '1.0' is of the order THETA^0"),
    ("a connection", PINS, "<<connect>>(s.p, l.p);", "H101", "'s.p.i' is of the order THETA^1, but 'l.p.i' is of the order THETA^0"),
    ("a start value", T + "Real <<x>>(start = THETA, fixed = true);\n", "der(x) = -x;", "H101",
     "'x.start' is of the order THETA^1, but 'x' is of the order THETA^0"),
    ("a nominal value", "Real <<x>>(start = 1, nominal = 2*Rubato.THETA);\n", "der(x) = -x;", "H101",
     "'x.nominal' is of the order THETA^1, but 'x' is of the order THETA^0"),
    # orders of derivatives
    ("divided by it", T + "Real <<x>>(start = 1);\n", "der(x)/THETA = -x;", "H103", SLOW),
    ("a negative power", T + "Real <<x>>(start = 1);\n", "THETA^(-1)*der(x) = -x;", "H103", SLOW),
    ("a state of the order of it", T + "Real x, <<y>>(start = 1, fixed = true);\n", "x = THETA*y;\nder(y) = -x;", "H103", "y" + SLOW[1:]),
    ("a fast rate in a slow state", T + XY, "THETA*der(x) = y - x;\n<<der(y)>> = der(x) - y;", "H104",
     "'der(x)' is of the order THETA^-1, but '-y' is of the order THETA^0"),
    # instants and clocks
    ("a new start", T + X, "der(x) = -x;\nwhen x < 0.5 then\n  <<reinit>>(x, THETA);\nend when;", "H105", INSTANT),
    ("the condition of a when-clause", T + X, "der(x) = -x;\n<<when>> x < THETA then\n  reinit(x, 1);\nend when;", "H105", INSTANT),
    ("a factor in a when-clause", T + "discrete Real n(start = 1);\n", "when time > 1 then\n  <<n>> = THETA*pre(n);\nend when;", "H105", INSTANT),
    ("what leaves a clock", "Real u = sample(time, Clock(1, 10)), w, q;\n", "w = Rubato.THETA*u;\n<<q>> = hold(w);", "H105",
     "'w' is of the order THETA^1 in a when-clause or between clocks"),
    ("what a clock remembers", "Real u(start = 0);\n", "when Clock(1, 10) then\n  <<u>> = previous(u) + Rubato.THETA;\nend when;", "H101",
     "'previous(u)' is of the order THETA^0, but 'THETA' is of the order THETA^1"),
    # what it is
    ("a variable", "Real <<e>> = 1 annotation(__Rubato_theta = true);\n" + X, "e*der(x) = -x;", "H106",
     "'e' stands for an infinitely fast process: it must be a Real parameter or constant"),
    ("an integer by annotation", "parameter Integer <<e>> = 1 annotation(__Rubato_theta = true);\n" + X, "der(x) = -x;", "H106",
     "'e' stands for an infinitely fast process: it must be a Real parameter or constant"),
    ("an array", "parameter Real <<e>>[2] = {1, 1} annotation(__Rubato_theta = true);\n" + X, "e[1]*der(x) = -x;", "H106",
     "'e' stands for an infinitely fast process: it must be a scalar"),
    ("another value from above", COMPONENT + "C c(THETA = <<2>>);\n", "", "H106",
     "'THETA' stands for an infinitely fast process: it has no value and cannot be given one"),
    ("a parameter from above", COMPONENT + "parameter Real p = 1;\nC c(THETA = <<p>>);\n", "", "H106",
     "'THETA' stands for an infinitely fast process: it has no value and cannot be given one"),
    # nobody asks for its value
    ("a size", T + "Real z[<<integer(THETA)>>];\n", "z = zeros(1);", "H107", NEEDED),
    ("a condition of a component", T + COMPONENT.replace("THETA", "T") + "C c if THETA <<> 0.5>>;\n", "", "H107", NEEDED),
    ("which equations there are", T + X, "if THETA <<> 0.5>> then\n  der(x) = -x;\nelse\n  der(x) = x;\nend if;", "H107", NEEDED),
    ("how many equations there are", T + "Real z[2];\n", "for i in 1<<:integer>>(2*THETA) loop\n  z[i] = i;\nend for;", "H107", NEEDED),
    ("a constant", "constant Real k = <<Rubato.THETA>>;\n" + X, "k*der(x) = -x;", "H107",
     "constant 'k' is a number, and a THETA has no value: make 'k' a parameter"),
    # the rest of the model
    ("an equation too few", T + XY, "THETA*der(x) = y - x;", "F170", "1 equation is missing"),
]
RIGHT = [  # what is allowed, declarations, equations, fast states
    ("a quotient", T + X, "der(x) = -x/THETA;", ["x: level 1"]),
    ("the number 0 has any power", T + X, "(if time > -1 then THETA else 0)*der(x) = -x;", ["x: level 1"]),
    ("powers of an unknown", T + X + "Real c, d;\n", "c = THETA;\nd = c*THETA;\nd*der(x) = -x;", ["x: level 2"]),
    ("inside of the derivative", T + X, "der(THETA*x) = -x;", ["x: level 1"]),
    ("a field of a record", "record R\n  Real c;\n  Real d;\nend R;\nparameter R r = R(1e-3*Rubato.THETA, 2);\n" + X,
     "r.c*der(x) = -r.d*x;", ["x: level 1"]),
    ("without a value", "parameter Real THETA;\n" + X, "THETA*der(x) = -x;", ["x: level 1"]),
    ("another THETA from above", COMPONENT + T + "C c(THETA = THETA), d(THETA = Rubato.THETA), e(THETA = 1);\n", "",
     ["c.x: level 1", "d.x: level 1", "e.x: level 1"]),
]


def check(declarations, equations):
    """The place of << >> as line and column, what is printed, and the messages."""
    text = f"model M\n{declarations}{'equation' if equations else ''}\n{equations}\nend M;\n"
    before = text.split("<<", 1)[0]
    place = before.count("\n") + 1, len(before) - before.rfind("\n")
    path = os.path.join(WORK, "M.mo")
    with open(path, "w", encoding="utf-8") as f:
        f.write(text.replace("<<", "").replace(">>", ""))
    p = subprocess.run([RUBATO, "check", path, "--dump=theta", "--diagnostics=json"], capture_output=True, text=True, check=False,
                       timeout=60)
    return place, p.stdout, [json.loads(line) for line in p.stderr.splitlines()]


for title, declarations, equations, code, message in WRONG:
    (line, column), _, messages = check(declarations, equations)
    errors = [m for m in messages if m["severity"] == "error"]
    assert len(errors) == 1 and errors[0]["code"] == code and message in errors[0]["message"], (title, messages)
    assert code == "F170" or (errors[0]["line"], errors[0]["column"]) == (line, column), (title, line, column, errors)
for title, declarations, equations, states in RIGHT:
    _, printed, messages = check(declarations, equations)
    assert not [m for m in messages if m["severity"] == "error"], (title, messages)
    assert printed.splitlines()[:len(states)] == states, (title, printed)
