//! command flat {file}
//! output b.s.y = b.g.u;
//! output b.h.u = b.g.y;
// The connect of s and h is left out, then s of the class below gets another one; with the
// component k its connects go.
model M
  connector In = input Real;
  connector Out = output Real;
  block Source
    Out y = time;
  end Source;
  block Gain
    In u;
    Out y = 2*u;
  end Gain;
  model Base
    Source s;
    Gain h;
    Gain k;
  equation
    connect(s.y, h.u);
    connect(k.u, s.y);
  end Base;
  model Between
    extends Base;
  end Between;
  model B
    extends Between(break connect(h.u, s.y), break k);
    Gain g;
  equation
    connect(s.y, g.u);
    connect(g.y, h.u);
  end B;
  B b;
end M;
