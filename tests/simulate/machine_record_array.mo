// Arrays of records that several states determine, by elements and as a whole. States take turns.
//! command simulate {file} --output - --stop 6 --interval 0.5
//! near r[1].x(0.5) = 2 within 1e-12
//! near r[2].n[2](0.5) = 20 within 0
//! near r[1].x(1.5) = 3 within 1e-12
//! near r[1].n[1](1.5) = 2 within 0
//! near r[1].x(2.5) = 5 within 1e-12
//! near r[2].n[1](2.5) = 3 within 0
//! near r[1].x(3.5) = 7 within 1e-12
//! near r[2].x(3.5) = 2 within 1e-12
//! near r[1].n[2](3.5) = 12 within 0
//! near r[2].n[2](3.5) = 24 within 0
model Records
  record R
    Real x(start = 1);
    Integer n[2](each start = 0);
  end R;
  inner R r[2];
  block S
    outer output R r[2];
  equation
    r[1].x = 1 + previous(r[2].x);
    r[2].x = 2;
    for i in 1:2 loop
      r[i].n = previous(r[i].n) + {i, 10*i};
    end for;
  end S;
  block T
    outer output R r[2];
  equation
    r = {R(5, {1, 2}), R(6, {3, 4})};
  end T;
  S a;
  T b;
equation
  initialState(a);
  transition(a, b, r[1].n[1] >= 2, immediate = false);
  transition(b, a, true, immediate = false);
  when Clock(1) then
    assert(r[1].x < 99, "many");
  end when;
end Records;
