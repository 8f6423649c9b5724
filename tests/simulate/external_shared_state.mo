// Functions with the same annotations share one piece of code, and so what it remembers.
//! command simulate {file} --trust --output - --stop 1
//! environment XDG_CACHE_HOME={tmp}
//! near y(1) = 42 within 0
model M
  impure function put
    input Real x;
    output Real y;
    external "C" y = put(x)
      annotation(Include = "static double kept; static double put(double x) { return kept = x; }
        static double get(double x) { return x + kept; }");
  end put;
  impure function get
    input Real x;
    output Real y;
    external "C" y = get(x)
      annotation(Include = "static double kept; static double put(double x) { return kept = x; }
        static double get(double x) { return x + kept; }");
  end get;
  discrete Real a(start = 0, fixed = true), y(start = 0, fixed = true);
algorithm
  when time > 0.5 then
    a := put(40);
    y := get(2);
  end when;
end M;
