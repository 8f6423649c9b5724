model M
  partial model A
    model Part
      Real u = 1;
    end Part;
  end A;
  partial model B
    model Part
      Real v = 1;
    end Part;
  end B;
  extends A;
  extends B;
  Part p;
end M;
//! command check {file}
//! error F114 13:11
