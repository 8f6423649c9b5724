model M
  operator record R
    Real a;
    encapsulated operator '+'
      import M.R;
      function one
        input R x;
        output R y;
      algorithm
        y := x;
      end one;
    end '+';
    encapsulated operator function '0'
      import M.R;
      input Real u;
      output R y;
    algorithm
      y.a := 0;
    end '0';
  end R;
  R r(a = 1);
end M;
//! command check {file}
//! error F115 6:16
//! error F115 13:36
