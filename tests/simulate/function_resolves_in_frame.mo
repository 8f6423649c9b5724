// A vector resolved in a frame: the derivative leaves out the frame since the rates follow from the model, yet
// the frame is an unknown. The crank turns with the given height of its pin.
//! command simulate {file} --model P.M --stop 1 --intervals 4 --tolerance 1e-8 --output -
//! near phi(0.5) = 0.52359877559829887 within 1e-7
//! near phi(1) = 1.1197695149986342 within 1e-7
//! near w(0.5) = 0.92376043070340122 within 1e-6
package P
  record Frame
    Real T[2, 2];
    Real w;
  end Frame;

  function resolve
    input Frame R;
    input Real v[2];
    output Real r[2];
  algorithm
    r := transpose(R.T)*v;
    annotation (derivative(noDerivative = R) = resolve_der);
  end resolve;

  function resolve_der
    input Frame R;
    input Real v[2];
    input Real dv[2];
    output Real dr[2];
  algorithm
    dr := resolve(R, {dv[1] - R.w*v[2], dv[2] + R.w*v[1]});
  end resolve_der;

  model M
    Real phi(start = 0.1), w;
    Frame R;
    Real r[2];
  equation
    R.T = {{cos(phi), sin(phi)}, {-sin(phi), cos(phi)}};
    R.w = w;
    w = der(phi);
    r = resolve(R, {1, 0});
    r[2] = 0.1 + 0.8*time;
  end M;
end P;
