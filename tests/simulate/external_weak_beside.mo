// The library's function brings its own code along by its annotations: what is weak there is not taken for a model's
// definition, it was found before the one that the model has.
//! command simulate {file} --trust --library {dir}/input/Ext --output - --stop 1
//! environment XDG_CACHE_HOME={tmp}
//! near y(1) = 12 within 0
//! near x(1) = 13 within 0
model M
  Real y = Ext.asksToo(time);
  Real x = Ext.asksToo(given(time)) + 1;
  function given
    input Real x;
    output Real y;
    external "C" y = given(x)
      annotation(Include = "double ext_weak(double x) { return 10*x; }
        static double given(double x) { return x; }");
  end given;
end M;
