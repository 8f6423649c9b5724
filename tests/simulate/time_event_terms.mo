// The formulas of a time event, its first time, spacing and size, have terms of their own that stand in them twice; cc
// rejected the code where two of them had some.
//! command simulate {file} --tier 1 --output - --stop 1 --intervals 10
//! near a(0.3) = 0 within 0
//! near a(0.4) = 1 within 0
//! near n(1) = 3 within 0
//! same-as --tier 0
model time_event_terms
  parameter Real p = 0.1, q = 0.2, r = 0.2;
  Boolean a = time + max(p, q)*max(p, q) > max(p, q) + r;
  Boolean b = mod(time*max(p, q)^2/max(p, q), max(p, q)*min(p, q)*3) < max(p, r)*min(p, r);
  discrete Integer n(start = 0, fixed = true);
equation
  when b then
    n = pre(n) + 1;
  end when;
end time_event_terms;
