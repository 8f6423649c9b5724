// In a linear block the unknowns are torn from which most others follow: of a chain of links the angular
// accelerations, from which all accelerations and then all forces follow, and not the forces, which stand in
// more equations.
//! command simulate {file} --output - --stop 1 --intervals 2
//! check {rubato} simulate {file} --dump=tear --stop-after=tear | grep -q 'linear block of 45, 5 iteration variables'
//! near al[1](1) = -9.48907447149056 within 1e-9
//! near missed(1) = 0 within 1e-9
model Links
  parameter Integer n = 5;
  parameter Real m = 2, J = 0.3, L = 0.7;
  Real al[n], ax[n], ay[n], fx[n], fy[n], s[n], c[n], gx[n], gy[n], hx[n], hy[n], missed;
equation
  for i in 1:n loop
    s[i] = sin(i*time);
    c[i] = cos(i*time);
    ax[i] = (if i > 1 then ax[max(i - 1, 1)] else 0) - L*s[i]*al[i];
    ay[i] = (if i > 1 then ay[max(i - 1, 1)] else 0) + L*c[i]*al[i];
    fx[i] = (if i < n then fx[min(i + 1, n)] else 0) + m*ax[i];
    fy[i] = (if i < n then fy[min(i + 1, n)] else 0) + m*(ay[i] + 9.81);
    gx[i] = 2*fx[i] + fy[i];
    gy[i] = fx[i] - 3*fy[i];
    hx[i] = fx[i] + gx[i];
    hy[i] = fx[i] - gy[i];
    J*al[i] = L*(s[i]*fx[i] - c[i]*fy[i]) - 0.01*(gx[i] + gy[i] + hx[i] + hy[i]);
  end for;
  missed = sum(al*J) - sum(L*(s[i]*fx[i] - c[i]*fy[i]) - 0.01*(6*fx[i] + 2*fy[i]) for i in 1:n);
end Links;
