package Ext "A library with code of its own"
  function twice
    input Real x;
    output Real y;
    external "C" y = ext_twice(x);
  end twice;
  model M
    Real y = twice(time);
    annotation (experiment(StopTime=1));
  end M;
  function mix
    input Real a[:, 2];
    input Integer k;
    input Boolean b;
    input String s;
    output Real y[size(a, 1)];
    output Integer n;
    output String t;
    external "C" n = ext_mix(a, size(a, 1), size(a, 2), 2*k, b, s, y, t);
  end mix;
  function fails
    input Real x;
    output Integer n;
    external "C" n = ext_fails(x);
  end fails;
  model Constants
    constant Real a[3, 2] = [1, 2; 3, 4; 5, 6];
    constant Real sums[3] = mix(a, 5, true, "ab");
    parameter Integer n = count(a) annotation(Evaluate = true);
    constant String t = text(a);
    Real x[n] = fill(time, n);
    Real y = sums[3] + n;
    Boolean same = t == "ab/3x2";
  protected
    function count
      input Real a[:, 2];
      output Integer n;
    protected
      Real y[size(a, 1)];
    algorithm
      (y, n) := mix(a, 5, true, "ab");
    end count;
    function text
      input Real a[:, 2];
      output String t;
    protected
      Real y[size(a, 1)];
      Integer n;
    algorithm
      (y, n, t) := mix(a, 5, true, "ab");
    end text;
  end Constants;
  model Fails
    Real x[fails(3)];
  end Fails;
  model Later
    Real x(start = 0, fixed = true);
    Real y = fails(x);
  equation
    der(x) = 4;
    annotation (experiment(StopTime=1));
  end Later;
  function read
    input String name;
    output Real y;
    external "C" y = ext_read(name);
  end read;
  model File
    parameter String name = "modelica://Ext/Resources/Data/number.txt";
    Real y = read(name) + time;
    annotation (experiment(StopTime=1));
  end File;
  function square "its code is in a header"
    input Real x;
    output Real y;
    external "C" y = ext_square(x) annotation(Include = "#include \"ext_inline.h\"");
  end square;
  model Header
    Real y = square(time + 1);
    annotation (experiment(StopTime=1));
  end Header;
  class Line "an object of external code"
    extends ExternalObject;
    function constructor
      input Real a, b;
      output Line line;
      external "C" line = ext_line_new(a, b);
    end constructor;
    function destructor
      input Line line;
      external "C" ext_line_free(line);
    end destructor;
  end Line;
  function at
    input Line line;
    input Real x;
    output Real y;
    external "C" y = ext_line_at(line, x);
  end at;
  model Object
    parameter Real slope = 3;
    Line line = Line(slope, 1);
    Line other = Line(2*slope, 0);
    Real y = at(line, time) + at(other, 1);
    annotation (experiment(StopTime=1));
  end Object;
  model ObjectLate "its argument is known only when the model has started"
    parameter Real slope(fixed = false);
    Line line = Line(slope, 1);
    Real x(start = 0, fixed = true);
  initial equation
    slope = x + 3;
  equation
    der(x) = at(line, time);
    annotation (experiment(StopTime=2));
  end ObjectLate;
  impure function step "remembers how far it came"
    input Line line;
    input Real x;
    output Real next;
    external "C" next = ext_line_step(line, x);
  end step;
  model Steps
    Line line = Line(0, 0);
    Real x(start = 0, fixed = true);
    discrete Real next(start = 0, fixed = true);
  equation
    when {initial(), time >= pre(next)} then
      next = step(line, time);
    end when;
    der(x) = at(line, next);
    annotation (experiment(StopTime=4));
  end Steps;
  impure function lines "how many there are"
    input Real x;
    output Integer n;
    external "C" n = ext_lines(x);
  end lines;
  function slope "by an object of its own"
    input Real a;
    output Real y;
  protected
    Line line = Line(a, 5);
  algorithm
    y := at(line, 2) - at(line, 1);
  end slope;
  model Local
    Line line = Line(1, 1);
    Real y = slope(3 + time);
    Integer n;
  equation
    when sample(0.25, 0.25) then
      n = lines(y);
    end when;
    annotation (experiment(StopTime=1));
  end Local;
  model Lost "the run ends early"
    Line line = Line(7, 1);
    Real x(start = 0, fixed = true);
  equation
    der(x) = at(line, fails(x));
    annotation (experiment(StopTime=1));
  end Lost;
  function uses "Calls what its C code only declares"
    input Real x;
    output Real y;
    external "C" y = ext_uses(x);
  end uses;
  model Lacks
    Real y = uses(time);
    annotation (experiment(StopTime=1));
  end Lacks;
  function asks "Calls what a model may define"
    input Real x;
    output Real y;
    external "C" y = ext_asks(x);
  end asks;
  function asksToo "its annotations bring the same code along"
    input Real x;
    output Real y;
    external "C" y = ext_asks(x)
      annotation(Include = "#include \"ext.c\"", IncludeDirectory = "modelica://Ext/Resources/C-Sources");
  end asksToo;
  model Weak
    Real y = asks(time);
    annotation (experiment(StopTime=1));
  end Weak;
end Ext;
