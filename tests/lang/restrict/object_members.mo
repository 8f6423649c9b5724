class O
  extends ExternalObject;
  Real x;
  function constructor
    output O o;
  external "C" o = make();
  end constructor;
  function destructor
    input O o;
  external "C" release(o);
  end destructor;
end O;
model M
  O o = O();
end M;
//! command check {file}
//! error F115 3:8
//! message constructor and destructor only
