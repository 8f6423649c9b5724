// Code of the model defines what the library's C code calls, also if it is loaded after it; what it
// reports is an error of the call.
//! command simulate {file} --trust --library {dir}/input/Ext --output - --stop 1
//! environment XDG_CACHE_HOME={tmp}
//! near y(0.5) = 4 within 0
//! near z(0.5) = -0.5 within 1e-12
//! message the simulation failed at time 0.7
//! message this is too much
//! error R115 164:12
//! exit 3
model M
  function unrelated
    input Real x;
    output Real y;
    external "C" y = unrelated(x)
      annotation(Include = "#include \"ModelicaUtilities.h\"
        double ext_given(double x) {
          if (x > 0.75) ModelicaError(\"this is too much\");
          return 6*x;
        }
        static double unrelated(double x) { return x - 1; }");
  end unrelated;
  Real y = Ext.uses(time);
  Real z = unrelated(time);
end M;
