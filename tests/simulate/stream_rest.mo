// A flow that turns around: m*actualStream(h) is zero there on both sides, so that it needs no event (Modelica 3.6, 15.3);
// actualStream(h) alone has one, unless it is inside of smooth. The energy of the volume follows m*3 while m = cos(t) flows in and m*H/10 while it flows out:
// H(t) = H(pi/2)*exp((sin(t) - 1)/10) for t from pi/2 to 3 pi/2.
//! command simulate {file} --model P.Quiet --stop 10 --output -
//! stat events_time = 0
//! near v.H(1.5) = 4.992484959812163 within 1e-4
//! near v.H(4) = 4.194430873528023 within 1e-4
//! check {rubato} simulate {file} --model P.Loud --stop 10 --output a.mat --stats - | grep -q '"events_time":3'
//! check {rubato} simulate {file} --model P.Smooth --stop 10 --output a.mat --stats - | grep -q '"events_time":0'
package P
  connector Port
    Real p;
    flow Real m;
    stream Real h;
  end Port;
  model Source
    Port c;
  equation
    c.m = -cos(time);
    c.h = 3;
  end Source;
  model Volume
    Port c;
    Real H(start = 2, fixed = true);
  equation
    c.p = 1;
    c.h = H/10;
    der(H) = c.m*actualStream(c.h);
  end Volume;
  model Quiet
    Source s;
    Volume v;
  equation
    connect(s.c, v.c);
  end Quiet;
  model Loud
    extends Quiet;
    Real h = actualStream(v.c.h);
  end Loud;
  model Smooth
    extends Quiet;
    Real speed = smooth(0, v.c.m/(10 + actualStream(v.c.h)));
  end Smooth;
end P;
