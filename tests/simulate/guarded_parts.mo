// Parts that are used in several branches and cannot be evaluated outside of them: subscripts and
// functions with assertions, in values, conditions and relations, in equations and algorithms.
//! command simulate {file} --stop 2 --intervals 100 --output -
//! near twice(0.5) = 1.2163953243244932 within 1e-12
//! near twice(1.5) = 0 within 0
//! near thrice(0) = 0 within 0
//! near thrice(0.6) = 2.727892280477045 within 1e-12
//! near thrice(2) = 0 within 0
//! near chosen(0.24) = 0.5653138090500604 within 1e-12
//! near chosen(0.75) = 1 within 0
//! near chosen(1.25) = -2 within 0
//! near chosen(2) = 0 within 0
//! near nested(0.4) = 1 within 0
//! near nested(0.75) = 2 within 0
//! near nested(1.75) = 3 within 0
//! near nested_algorithm(0.4) = 1 within 0
//! near nested_algorithm(0.75) = 2 within 0
//! near nested_algorithm(1.75) = 3 within 0
//! near when_nested(2) = 0.5 within 1e-9
//! near element(0.1) = 3 within 0
//! near element(0.26) = 1 within 0
//! near element(0.6) = 2 within 0
//! near element(1.75) = 3 within 0
//! near logic(0) = 0 within 0
//! near logic(0.6) = 1 within 0
//! near logic(2) = 1 within 0
model GuardedParts
  function positive "log(x), of positive numbers only"
    input Real x;
    output Real y;
  algorithm
    assert(x > 0, "x must be positive");
    y := log(x);
    annotation (Inline = false);
  end positive;
  parameter Real a[3] = {1, 2, 3};
  Real x = 2 - time;
  Integer n = integer(4*time);
  Boolean inside = n >= 1 and n <= 3;
  Real twice = (if x > 0.99 then positive(x) else 0) + (if x > 0.99 then 2*positive(x) else 0);
  Real thrice = (if inside then sin(a[n]) else 0) + (if inside then 2*sin(a[n]) else 0);
  Real chosen = noEvent(if x > 1.5 then positive(x) elseif x > 1 then 1 elseif x > 0.5 then -2
     elseif x > 3 then positive(x) else 0);
  Real nested = if x > 0.99 then (if positive(x) > log(1.5) then 1 else 2) else 3;
  Real element = if inside then (if a[n] > 4*time - 0.1 then 1 else 2) else 3;
  Boolean logic = inside and a[n] > 1.5 or time > 1 and (not inside or a[n] > 5);
  Real nested_algorithm;
  discrete Real when_nested(start = 0, fixed = true);
algorithm
  if x > 0.99 then
    if positive(x) > log(1.5) then
      nested_algorithm := 1;
    else
      nested_algorithm := 2;
    end if;
  else
    nested_algorithm := 3;
  end if;
equation
  when nested > 1.5 then
    when_nested = if pre(when_nested) > 0 then pre(when_nested) else time;
  end when;
end GuardedParts;
