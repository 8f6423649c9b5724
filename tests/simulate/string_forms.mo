// All forms of String, when translating (text of the first message) and in the run (of the second).
//! command simulate {file} --stop 1 --intervals 1 --output -
//! warning R105 34:5
//! warning R105 35:5
//! message at time 0: 3.1416|   2.500|2.500000e+00|3.14      |      3.14|-7    |    -7|  00042|two|    two|true |0x1f
//! message at time 0: run 3.1416|   2.500|2.500000e+00|3.14      |      3.14|-7    |    -7|  00042|two|    two|true |0x1f
model StringForms
  type E = enumeration(one, two);
  function all
    input Real x;
    input Real pi;
    input Integer i, j, k;
    input E e;
    input Boolean b;
    output String s;
  algorithm
    s := String(pi, 5) + "|" + String(x, format = "8.3f") + "|" + String(x, format = "e") + "|" +
      String(pi, significantDigits = 3, minimumLength = 10) + "|" +
      String(pi, 3, 10, false) + "|" + String(i, 6) + "|" +
      String(i, minimumLength = 6, leftJustified = false) + "|" + String(j, format = "7.5d") + "|" +
      String(e) + "|" + String(e, minimumLength = 7, leftJustified = false) + "|" + String(b, 5) + "|" +
      String(k, format = "#x");
  end all;
  constant String now = all(2.5, 3.14159265, -7, 42, 31, E.two, true);
  parameter Real x = 2.5, pi = 3.14159265;
  parameter Integer i = -7, j = 42, k = 31;
  parameter E e = E.two;
  parameter Boolean b = true;
  Boolean start;
algorithm
  start := initial();
  when initial() then
    // Warnings tell the texts.
    assert(false, now, AssertionLevel.warning);
    assert(false, "run " + all(x, pi, i, j, k, e, b), AssertionLevel.warning);
  end when;
end StringForms;
