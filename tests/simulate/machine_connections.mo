// Outputs of states connected to one input (17.3.6), also of states inside of a state; what an input was at the
// last tick of its state is previous(u) when the state goes on.
//! command simulate {file} --output - --stop 12 --interval 0.5
//! near sink.u(0.5) = 1 within 0
//! near sink.u(1.5) = 2 within 0
//! near sink.u(2.5) = 30 within 0
//! near sink.u(3.5) = 102 within 0
//! near sink.u(4.5) = 103 within 0
//! near sink.u(5.5) = 204 within 0
//! near sink.u(6.5) = 205 within 0
//! near sink.u(7.5) = 205 within 0
//! near second.u(4.5) = 103 within 0
//! near up.before(1.5) = 0 within 0
//! near up.before(2.5) = 0 within 0
//! near down.before(2.5) = -1 within 0
//! near down.before(8.5) = 2 within 0
//! near sink.u(8.5) = 90 within 0
model Connections
  connector In = input Real;
  connector Out = output Real;
  block Up
    In u;
    Out y(start = 0);
    Real before = previous(u);
  equation
    y = previous(y) + 1;
  end Up;
  block Down
    In u(start = -1);
    Out y;
    Real before(start = 0);
  equation
    before = previous(u);
    y = 10*(u + 1);
  end Down;
  block Pass
    parameter Real offset;
    In u;
    Out y;
  equation
    y = u + offset - 1;
  end Pass;
  block Nested
    In u;
    Out y;
    Pass low(offset = 100), high(offset = 200);
  equation
    connect(u, low.u);
    connect(u, high.u);
    connect(low.y, y);
    connect(high.y, y);
    initialState(low);
    transition(low, high, ticksInState() >= 2, immediate = false); //! warning F214
  end Nested;
  block Rest
  end Rest;
  block Sink
    In u;
  end Sink;
  Up up;
  Down down;
  Nested nested;
  Rest rest;
  Sink sink, second;
  Integer n(start = -1);
  Real t;
  Out source;
equation
  when Clock(1) then
    n = previous(n) + 1;
    t = n;
  end when;
  source = t;
  connect(source, up.u);
  connect(source, down.u);
  connect(source, nested.u);
  connect(up.y, sink.u);
  connect(down.y, sink.u);
  connect(nested.y, sink.u);
  connect(sink.u, second.u);
  initialState(up);
  transition(up, down, n >= 2);
  transition(down, nested, n >= 3);
  transition(nested, rest, n >= 7);
  transition(rest, down, n >= 8, reset = false);
end Connections;
