operator record R
  Real x;
  operator '+'
    function add
      input R a;
      input R b;
      output R c;
    algorithm
      c := R(a.x + b.x);
    end add;
    function lost
      input R a;
      input Real b;
    algorithm
    end lost;
  end '+';
end R;
model M
  R r(x = 1);
end M;
//! command check {file}
//! error F115 11:14
//! message one result
