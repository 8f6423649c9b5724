//! command flat {file} --model P.M
//! output bus.speed
package P
  connector In = input Real;
  connector Out = output Real;
  expandable connector Bus
  end Bus;
  block Source
    Out y;
  equation
    y = time;
  end Source;
  block Sink
    In u;
    Real z = u;
  end Sink;
  model M
    Bus bus;
    Source s;
    Sink k;
  equation
    connect(s.y, bus.speed);
    connect(bus.speed, k.u);
  end M;
end P;
