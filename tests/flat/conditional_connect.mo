//! command flat {file} --model P.M
//! output Real a.y
package P
  connector In = input Real;
  connector Out = output Real;
  block Source
    Out y;
  equation
    y = time;
  end Source;
  block Sink
    parameter Boolean use = false;
    In u if use;
    Real v = 1;
  end Sink;
  model M
    Source a;
    Sink s;
  equation
    connect(a.y, s.u);
  end M;
end P;
