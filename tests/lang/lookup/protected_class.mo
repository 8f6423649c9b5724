package P
  package Q
    constant Real k = 1;
  protected
    model Hidden
      Real x = 1;
    end Hidden;
  end Q;
  model M
    Q.Hidden h;
  end M;
end P;
//! command check --model P.M {file}
//! error F135 10:7
