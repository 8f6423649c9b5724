// What happens at events has no place in a family, and is not dropped.
//! command simulate {file} --model M --components --stop 1 --output {tmp}/x.csv
//! error C103 9:5
//! message a statement of 'part' that happens at events cannot be computed instance by instance
model Part
  Real x(start = 1, fixed = true);
equation
  when x < 0.9 then
    assert(false, "x is small");
  end when;
  der(x) = -x;
end Part;
model M
  Part part[3];
end M;
