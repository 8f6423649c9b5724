//! command check {file}
model M
  model Base
    parameter Real x = 1;
  end Base;
  model Holder
    replaceable Base part constrainedby Base(final x = 2);
  end Holder;
  Holder h(part(x = 3)); //! error F133
end M;
