// Without --model the last class that can be simulated is taken, also inside packages.
//! command simulate {file} --output -
//! near y(1) = 7 within 1e-12
package P
  model A
    Real y = 3*time;
  end A;
  package Q
    model B
      Real y = 7*time;
    end B;
    partial model C
      Real z;
    end C;
  end Q;
  function f
    output Real y = 1;
  end f;
end P;
