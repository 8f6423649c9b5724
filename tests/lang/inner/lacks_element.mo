model M
  model World
    parameter Real g = 9.81;
  end World;
  model Other
    parameter Real h = 1;
  end Other;
  model Body
    outer World world;
    Real a = world.g;
  end Body;
  inner Other world;
  Body body;
end M;
//! command check {file}
//! error F162 9:17
//! message it has no element 'g'
