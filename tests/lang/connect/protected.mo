model M
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  model Part
  protected
    Pin p;
  equation
    p.v = 1;
  end Part;
  Part part;
  Pin q;
equation
  connect(q, part.p);
end M;
//! command check {file}
//! error F135 15:19
