// Code that does not compile: the first error of the C compiler is told.
//! command simulate {file} --trust --output - --stop 1
//! environment XDG_CACHE_HOME={tmp}
//! error R115 8:12
//! exit 3
//! message the external function 'my_twice' is not available: error: expected
model M
  function twice
    input Real x;
    output Real y;
    external "C" y = my_twice(x)
      annotation(Include = "static double my_twice(double x) { return 2*x }");
  end twice;
  Real y = twice(time);
end M;
