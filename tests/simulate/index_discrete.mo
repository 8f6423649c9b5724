// A discrete variable in an equation that is differentiated: it is constant between events, and its
// when-clause, which has no derivative here, is not differentiated.
//! command simulate {file} --model P.M --stop 1 --intervals 4 --tolerance 1e-8 --output -
//! near a(0.25) = 2 within 1e-6
//! near a(0.75) = 6 within 1e-6
//! near v(0.75) = 4.5 within 1e-6
package P
  function pick "constant arrays as wholes have no derivative"
    input Real u;
    output Real y;
  protected
    Real w[2];
  algorithm
    w := {2, 6};
    y := if u < 0.4 then w[1] else w[2];
    annotation (Inline = false);
  end pick;

  model M
    discrete Real slope(start = 2, fixed = true);
    Real v, a;
  equation
    when {initial(), time >= 0.5} then
      slope = pick(time);
    end when;
    v = slope*time;
    der(v) = a;
  end M;
end P;
