model M
  partial model World
    parameter Real g = 9.81;
    annotation(missingInnerMessage = "add a World to your model");
  end World;
  model Body
    outer World world;
    Real a = world.g;
  end Body;
  Body body;
end M;
//! command check {file}
//! error F160 7:17
//! message add a World to your model
