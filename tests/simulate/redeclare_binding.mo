// A redeclaration from outside brings its own binding and attributes.
//! command simulate {file} --output -
//! near b.x(1) = 3 within 1e-15
//! near c.x(1) = 7 within 0
//! near c.y(1) = 14 within 0
//! near d.b.x(1) = -2 within 1e-15
model redeclare_binding
  model B
    replaceable Real x;
  end B;
  model C
    replaceable Real x = 1;
    Real y = 2*x;
  end C;
  model D
    replaceable B b(redeclare Real x = 5);
  end D;
  B b(redeclare Real x = 3*time);
  C c(redeclare parameter Real x = 7);
  D d(redeclare B b(redeclare Real x = -2*time));
end redeclare_binding;
