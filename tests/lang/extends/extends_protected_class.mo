package P
  model A
  protected
    model Secret
      Real x = 1;
    end Secret;
  end A;
  model M
    extends A.Secret;
  end M;
end P;
//! command check --model P.M {file}
//! error F135 9:15
