model Five
  Real a = ;
  Real b(start = 1;
  parameter Real 3c = 2;
  Real d;
equation
  a + b;
  d := 4;
  der(d) = a;
end Five;
//! error P106 2:12
//! error P105 3:19
//! error L106 4:18
//! error P113 7:3
//! error P107 8:5
