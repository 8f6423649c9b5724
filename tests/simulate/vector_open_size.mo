// vector() of a row and of a column whose lengths are known at run time only.
//! command simulate {file} --output - --stop 1
//! near a(1) = 32 within 1e-12
//! near b(1) = 32 within 1e-12
//! near c(1) = 7 within 1e-12
model M
  function dot
    input Real u[:], v[:];
    input Boolean row;
    output Real y;
  protected
    Real r[1, size(u, 1)], c[size(u, 1), 1], w[size(u, 1)];
  algorithm
    r[1, :] := u;
    c[:, 1] := u;
    if row then
      w := vector(r);
    else
      w := vector(c);
    end if;
    y := w*v;
  end dot;
  Real a = dot({time, 2, 3}, {4, 5, 6}, true), b = dot({time, 2, 3}, {4, 5, 6}, false);
  Real c = dot({7*time}, {1}, true);
end M;
