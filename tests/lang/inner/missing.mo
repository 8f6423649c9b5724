model M
  partial model World
    parameter Real g = 9.81;
  end World;
  model Body
    outer World world;
    Real a = world.g;
  end Body;
  Body body;
end M;
//! command check {file}
//! error F160 6:17
//! message no inner 'world' is declared around this outer component
