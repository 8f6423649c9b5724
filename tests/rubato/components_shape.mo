// A parameter that decides about a branch differs.
//! command simulate {file} --model M --components
//! error C106 9:6
//! message 'part.fast' shapes the model, so it cannot differ between the instances of a family
model Part
  parameter Boolean fast = false;
  Real x(start = 1, fixed = true);
equation
  if fast then
    der(x) = -2*x;
  else
    der(x) = -x;
  end if;
end Part;
model M
  Part part[3](fast = {false, true, false});
end M;
