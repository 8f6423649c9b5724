// A record set in a when-clause, whole and from a constructor.
//! command simulate {file} --output - --stop 1
//! near r.a(1) = 5 within 0
//! near r.n[2](1) = 7 within 0
//! near r.in1.b(1) = 2.5 within 0
//! near s.a(1) = 5 within 0
//! near s.in1.b(0.55) = 0 within 0
model WhenRecord
  record Inner
    Real b;
  end Inner;
  record R
    Real a;
    Integer n[2];
    Inner in1;
  end R;
  discrete R r(a(start = 0, fixed = true), n(each start = 0, each fixed = true),
    in1(b(start = 0, fixed = true)));
  discrete R s(a(start = 0, fixed = true), n(each start = 0, each fixed = true),
    in1(b(start = 0, fixed = true)));
equation
  when time > 0.5 then
    r = R(10*0.5, {6, 7}, Inner(2.5));
  end when;
  when time > 0.6 then
    s = r;
  end when;
end WhenRecord;
