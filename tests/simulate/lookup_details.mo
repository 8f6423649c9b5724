// Renamed imports of constants; a size that refers to its own array; branches of different sizes
// chosen by a constant of a package; products of operator records element by element.
//! command simulate {file} --output - --stop 1 --intervals 2 --model LookupDetails.M
//! near y(1) = 0.5 within 1e-12
//! near s.x[2](1) = 2 within 1e-9
//! near v[3](1) = 3 within 1e-12
//! near p[1].a(1) = 3 within 1e-12
//! near p[2].a(1) = 8 within 1e-12
//! near q.a(1) = 11 within 1e-12
package LookupDetails
  import HALF = LookupDetails.Constants.half;
  package Constants
    constant Real half = 0.5;
  end Constants;
  function f
    import ONE = LookupDetails.Constants.half;
    input Real x;
    output Real y = x*HALF/ONE;
  algorithm
    y := y*HALF;
  end f;
  block System
    parameter Real A[:, size(A, 1)] = [1, 0; 0, 1];
    parameter Integer nx = size(A, 2);
    Real x[nx] = A*{1, 2}*time;
  end System;
  constant Boolean reduced = false;
  function all
    input Real x[3];
    output Real y[3];
  algorithm
    y := if reduced then cat(1, x, {1 - sum(x)}) else x;
  end all;
  operator record N
    Real a;
    operator '*'
      function multiply
        input N x;
        input N y;
        output N z;
      algorithm
        z.a := x.a*y.a;
      end multiply;
      function scalarProduct
        input N x[:];
        input N y[size(x, 1)];
        output N z;
      algorithm
        z.a := 0;
        for i in 1:size(x, 1) loop
          z.a := z.a + x[i].a*y[i].a;
        end for;
      end scalarProduct;
    end '*';
  end N;
  model M
    Real y = f(time);
    System s;
    Real v[3] = all({1, 2, 3}*time);
    N a[2] = {N(1), N(2)};
    N b[2] = {N(3), N(4)};
    N p[2];
    N q;
  equation
    p = a.*b;
    q = a*b;
  end M;
end LookupDetails;
