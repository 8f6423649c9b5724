model M
  impure function read
    output Real y;
  external "C" y = read();
  end read;
  Real x = 2*read();
  parameter Real p = read();
  discrete Real d;
initial equation
  d = read();
equation
  when time > 1 then
    d = read();
  end when;
end M;
//! command check {file}
//! warning T109 6:13
