//! command check {file}
model M
  model Base
    parameter Real x = 1;
  end Base;
  model Holder
    replaceable Base part constrainedby Base(y = 2); //! error F130
  end Holder;
  Holder h;
end M;
