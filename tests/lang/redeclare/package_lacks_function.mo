package P
  partial package Medium
    replaceable partial function density
      input Real T;
      output Real d;
    end density;
  end Medium;
  package Wrong
    constant Real c = 1;
  end Wrong;
  model Pipe
    replaceable package Med = Medium;
    Real d = Med.density(300);
  end Pipe;
  model M
    Pipe pipe(redeclare package Med = Wrong);
  end M;
end P;
//! command check --model P.M {file}
//! error F111 13:18
//! error F143 16:33
//! message it has no element 'density'
