model M
  model World
    parameter Real g = 9.81;
  end World;
  model Body
    outer World world;
    Real a = world.g;
  end Body;
  Body body;
end M;
//! command check {file}
//! warning F161 6:17
//! exit 0
