package P
  package Sources
    model Step
      Real y = time;
    end Step;
  end Sources;
  model M
    Sources.Stepp s;
  end M;
end P;
//! command check --model P.M {file}
//! error F101 8:13
//! message there is no class 'Stepp' in 'P.Sources'; did you mean 'Step'?
