package P
  package F
    function square
      input Real u;
      output Real y;
    algorithm
      y := u^2;
    end square;
  end F;
  model M
    Real x = F.sqare(2);
  end M;
end P;
//! command check --model P.M {file}
//! error F111 11:16
//! message there is no function 'sqare' in 'P.F'; did you mean 'square'?
