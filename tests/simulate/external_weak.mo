// A function that the library's C code defines until a model does: Ext.Weak takes -x + 2.
//! command simulate {file} --trust --library {dir}/input/Ext --output - --stop 1
//! environment XDG_CACHE_HOME={tmp}
//! near y(1) = 12 within 0
//! check {rubato} simulate Ext.Weak --library {dir}/input/Ext --quiet --output - | tail -1 | grep -q '^1,1$'
model M
  function given
    input Real x;
    output Real y;
    external "C" y = given(x)
      annotation(Include = "double ext_weak(double x) { return 10*x; }
        static double given(double x) { return x; }");
  end given;
  Real y = Ext.asks(given(time));
end M;
