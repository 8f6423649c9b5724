model M
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
end M;
//! command simulate {file} --rates 2 --method esdirk4,rodas44
//! exit 2
//! message there is no method 'rodas44'; did you mean 'rodas4'?
