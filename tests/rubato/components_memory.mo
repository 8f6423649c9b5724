// A discrete variable of an array keeps a value that no instance has room for: refused, not left at its start value.
//! command simulate {file} --model M --components --stop 1 --output {tmp}/x.csv
//! error C103 7:17
//! message keeps its value between events, so it cannot be computed instance by instance
model Part
  Real x(start = 1, fixed = true);
  discrete Real d(start = 0, fixed = true);
equation
  der(x) = -x;
  when sample(0.1, 0.1) then
    d = pre(d) + 1;
  end when;
end Part;
model M
  Part part[3];
end M;
