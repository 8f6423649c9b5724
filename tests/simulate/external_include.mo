// Code inside the annotation, and a library of the system.
//! command simulate {file} --trust --output - --stop 1
//! environment XDG_CACHE_HOME={tmp}
//! near y(0.5) = 1 within 1e-12
//! near z(0.5) = 0.8775825618903728 within 1e-12
model M
  function twice
    input Real x;
    output Real y;
    external "C" y = my_twice(x)
      annotation(Include = "static double my_twice(double x) { return 2*x; }");
  end twice;
  function cosine
    input Real x;
    output Real y;
    external "C" y = cos(x) annotation(Library = "m");
  end cosine;
  Real y = twice(time);
  Real z = cosine(time);
end M;
