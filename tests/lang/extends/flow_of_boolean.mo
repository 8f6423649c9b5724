model M
  connector C
    Boolean u;
    flow Boolean b;
  end C;
  C c;
equation
  c.u = true;
end M;
//! command check {file}
//! error T185 4:18
//! message a flow variable is Real
