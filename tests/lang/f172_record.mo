//! command check {file}
record R //! error F172
  Real x;
end R;
