//! command flat {file}
//! output Real a.b.y = world.g
model M
  model World
    parameter Real g = 9.81;
  end World;
  model B
    outer World world;
    Real y = world.g;
  end B;
  model A
    B b;
  end A;
  inner World world(g = 3);
  A a;
end M;
