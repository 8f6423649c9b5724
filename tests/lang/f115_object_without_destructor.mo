model M
  class Object
    extends ExternalObject;
    function constructor
      output Object o;
      external "C" o = make_object();
    end constructor;
  end Object;
  Object o = Object();
end M;
//! command check {file}
//! error F115 2:9
