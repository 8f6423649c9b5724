model M "outputs of parallel states are connected"
  connector In = input Real;
  connector Out = output Real;
  block S
    Out y = 1;
  end S;
  block Sink
    In u;
  end Sink;
  S a, b, c;
  Sink sink;
equation
  initialState(a);
  transition(a, b, true);
  initialState(c);
  connect(a.y, sink.u);
  connect(b.y, sink.u);
  connect(c.y, sink.u); //! error T183
end M;
//! command check {file}
//! message 'c.y' and 'b.y' both give a value to 'sink.u'
