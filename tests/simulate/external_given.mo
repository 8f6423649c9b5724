// Code of the model defines what the library's C code calls, also if it is loaded after it.
//! command simulate {file} --trust --library {dir}/input/Ext --output - --stop 1
//! environment XDG_CACHE_HOME={tmp}
//! near y(1) = 7 within 0
//! near z(1) = 0 within 0
model M
  function unrelated
    input Real x;
    output Real y;
    external "C" y = unrelated(x)
      annotation(Include = "double ext_given(double x) { return 6*x; }
        static double unrelated(double x) { return x - 1; }");
  end unrelated;
  Real y = Ext.uses(time);
  Real z = unrelated(time);
end M;
