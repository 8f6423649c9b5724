// A redeclaration without 'replaceable' is the last one.
//! command check {file}
model M
  model A
    Real x = 1;
  end A;
  model B
    extends A;
  end B;
  model C
    replaceable A a;
  end C;
  model D
    extends C(redeclare B a);
  end D;
  model E
    extends C(redeclare replaceable B a);
  end E;
  E e(redeclare B a);
  D d(redeclare B a); //! warning F147
end M;
