// Settings that shape the model: it is translated again with them, together with plain ones.
//! command simulate {file} --model Set.M --set N=4 --set k={1,2,3} --set mode=Set.Mode.fast --set 'text="yes"' --set a=2 --set y=2*3 --output - --stop 1
//! near x[4](0.5) = 4.5399929762484854e-05 within 1e-7
//! near c.z[4](0.5) = 0.60653065971263342 within 1e-6
//! near y(0) = 6 within 0
//! near sum(1) = 106 within 1e-12
package Set
  type Mode = enumeration(slow, fast);
  model C
    parameter Integer M = 2;
    Real z[M](each start = 1, each fixed = true);
  equation
    der(z) = -z;
  end C;
  model M
    parameter Integer N = 3;
    parameter Real k[:] = {1, 2};
    parameter Mode mode = Mode.slow annotation(Evaluate = true);
    parameter String text = "no";
    parameter Real a = 1;
    C c(M = N);
    Real x[N](each start = 1, each fixed = true), y(start = 1, fixed = true);
    Real sum = k*ones(size(k, 1)) + (if text == "yes" then 100 else 0);
  equation
    der(x) = -(if mode == Mode.slow then 1 else 10)*a*x;
    der(y) = -y;
  end M;
end Set;
