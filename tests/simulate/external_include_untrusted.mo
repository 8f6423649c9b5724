// Code in an annotation of a file that is no installed library does not run.
//! command simulate {file} --output - --stop 1
//! environment XDG_CACHE_HOME={tmp}
//! error R115 9:12
//! message --trust runs it
//! exit 3
model M
// the position is that of the function
  function twice
    input Real x;
    output Real y;
    external "C" y = my_twice(x)
      annotation(Include = "static double my_twice(double x) { return 2*x; }");
  end twice;
  Real y = twice(time);
end M;
