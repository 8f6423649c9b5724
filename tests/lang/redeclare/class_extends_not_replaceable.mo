model M
  partial model A
    model B
      Real x = 1;
    end B;
  end A;
  extends A;
  redeclare model extends B
    Real y = 2;
  end B;
  B b;
end M;
//! command check {file}
//! error F142 8:27
