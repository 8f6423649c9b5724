// A pin joins the rest of the model with its neighbours towards the root; an array cannot, and that is said.
//! command check {file} --model Bars --components
//! error C117 15:29
//! message 'pin' has no answer of its own, and 'rod', which would have to join the rest of the model with it, is an array
//! check {rubato} check {file} --model Pins --components 2>&1 | grep -q "error C117: 'pin' has no answer of its own, and an array cannot join the rest of the model"
partial model Ground
  import Rubato.Planar.*;
  Fixed left, right(r = {2.2, 0.2});
  Revolute j[3];
  Body body[3](each m = 1);
end Ground;

model Bars
  extends Ground;
  Rubato.Planar.Translation rod[3](r = {{0.3, 0.8}, {1.5, 0.4}, {-0.4, 1}});
  Rubato.Planar.Pin pin;
equation
  connect(left.on, j[1].to);
  connect(j.on, rod.to);
  connect(rod[1].on, j[2].to);
  connect(right.on, j[3].to);
  connect(rod.on, body.to);
  connect(rod[2].on, pin.a);
  connect(rod[3].on, pin.b);
end Bars;
model Pins
  extends Ground;
  Rubato.Planar.Translation rod[3](r = {{0.3, 0.8}, {1.5, 0.4}, {-0.4, 1}});
  Rubato.Planar.Pin pin[1];
equation
  connect(left.on, j[1].to);
  connect(j.on, rod.to);
  connect(rod[1].on, j[2].to);
  connect(right.on, j[3].to);
  connect(rod.on, body.to);
  connect(rod[2].on, pin[1].a);
  connect(rod[3].on, pin[1].b);
end Pins;
