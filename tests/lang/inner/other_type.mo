model M
  model A
    outer Boolean u;
    Boolean x = u;
  end A;
  inner Real u = 1;
  A a;
end M;
//! command check {file}
//! error F162 3:19
//! message the inner 'u' is Real
