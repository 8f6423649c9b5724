//! command check {file}
model M
  operator '+' //! error F115
    function add
      input Real a;
      output Real b;
    algorithm
      b := a;
    end add;
  end '+';
  Real x = 1;
end M;
