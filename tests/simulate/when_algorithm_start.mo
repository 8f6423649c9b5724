// When-clauses of algorithm sections rest at the start, as those of equations do, unless they ask for
// initial(); initial equations for what they assign hold, for the value or for its left limit.
//! command simulate {file} --model M --stop 1 --intervals 4 --output -
//! near n(0) = 0 within 0
//! near n(1) = 0 within 0
//! near z(0.25) = 7 within 0
//! near z(0.75) = 8 within 0
//! near k(0.25) = 5 within 0
//! near k(0.75) = 6 within 0
//! near p(0.25) = 3 within 0
//! near p(0.75) = 4 within 0
//! near first(1) = 2 within 0
//! near s[2].m(0.25) = 16 within 0
//! near s[2].m(0.75) = 22 within 0
//! near w[2,1](0.25) = 1 within 0
//! near w[2,1](0.75) = 2 within 0
model M
  model S
    parameter Integer k = 2;
    Integer m;
  initial equation
    m = k + 10;
  algorithm
    when time > 0.5 then
      m := pre(m) + k;
    end when;
  end S;
  S s[2](k = {5, 6});
  Integer n(start = 0, fixed = true), k(start = 9), first(start = 1, fixed = true);
  discrete Real z, p(start = 1), w[2, 2];
initial equation
  z = 7;
  k = 5;
  pre(p) = 3;
  w = {{7, 8}, {1, 2}};
algorithm
  when time >= 0 then
    n := pre(n) + 1;
  end when;
  when initial() then
    first := pre(first) + 1;
  end when;
algorithm
  when time > 0.5 then
    z := pre(z) + 1;
    k := pre(k) + 1;
    p := pre(p) + 1;
    w := pre(w) .+ 1;
  end when;
end M;
