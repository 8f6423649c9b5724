model M
  partial model P
    Real x;
  end P;
  P p;
end M;
//! command check {file}
//! error F105 5:5
//! message class 'M.P' of component 'p' is partial
