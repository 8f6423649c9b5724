// Variables of all types and arrays that states determine, and machines in an array of components.
//! command simulate {file} --output - --stop 6.9 --interval 0.25
//! near colour(0.5) = 3 within 0
//! near colour(1.5) = 1 within 0
//! near on(0.5) = 0 within 0
//! near on(3.5) = 1 within 0
//! near on(4.5) = 1 within 0
//! near on(5.5) = 0 within 0
//! near x[1](3.5) = 5 within 0
//! near x[2](3.5) = 42 within 0
//! near x[1](4.5) = 42 within 0
//! near x[2](4.5) = 0 within 0
//! near x[1](5.5) = 43 within 0
//! near x[2](5.5) = 10 within 0
//! near bounce[1].v(0.5) = 1 within 0
//! near bounce[1].v(1.5) = 0 within 0
//! near bounce[1].v(4.5) = 1 within 0
//! near bounce[3].v(2.5) = 3 within 0
//! near bounce[3].v(4.5) = 1 within 0
//! near total(4.5) = 3 within 0
model Types
  type Colour = enumeration(red, green, blue);
  inner Colour colour(start = Colour.green);
  inner Boolean on(start = true);
  inner Real x[2](start = {1, 2});
  block A
    outer output Colour colour;
    outer output Boolean on;
    outer output Real x[2];
  equation
    colour = if previous(colour) == Colour.green then Colour.blue else Colour.red;
    on = not previous(on);
    x = previous(x) + {1, 10};
  end A;
  block B
    outer output Real x[2];
  equation
    x[1] = previous(x[2]);
    x[2] = 0;
  end B;
  block Bounce
    parameter Integer high;
    inner Integer v(start = 0);
    block Move
      parameter Integer d;
      outer output Integer v;
    equation
      v = previous(v) + d;
    end Move;
    Move up(d = 1), down(d = -1);
  equation
    initialState(up);
    transition(up, down, v >= high, immediate = false);
    transition(down, up, v <= 0, immediate = false);
  end Bounce;
  A a;
  B b;
  Bounce bounce[3](high = {1, 2, 3});
  Integer total;
  Real t = sample(time, Clock(1));
equation
  initialState(a);
  transition(a, b, t > 2, immediate = false);
  transition(b, a, true, immediate = false);
  when Clock(1) then
    total = sum(bounce.v);
  end when;
end Types;
