// A connector whose flow cannot leave its component takes no part in the mixture (Modelica 15.2),
// neither inside (min = 0) nor outside (max = 0).
//! command simulate {file} --model StreamBounds.M --bounds off --stop 1 --intervals 1 --output -
//! near taking.into(0) = 10 within 1e-8
//! near sink.into(0) = 10 within 1e-8
//! near first.into(0) = 50 within 1e-6
//! near both.into(0) = 7 within 0
//! near third.into(0) = 7 within 1e-6
//! near hull.one.into(0) = 10 within 1e-8
package StreamBounds
  connector Port flow Real m; Real p; stream Real h; end Port;
  connector Inlet flow Real m(min = 0); Real p; stream Real h; end Inlet;
  connector Outlet flow Real m(max = 0); Real p; stream Real h; end Outlet;
  model Source
    parameter Real m, h;
    Port port;
    Real into = inStream(port.h);
  equation
    port.m = m;
    port.h = h;
  end Source;
  model Taking
    parameter Real m, h;
    Inlet port;
    Real into = inStream(port.h);
  equation
    port.m = m;
    port.h = h;
  end Taking;
  model Sink
    parameter Real h;
    Port port;
    Real into = inStream(port.h);
  equation
    port.p = 0;
    port.h = h;
  end Sink;
  model Hull
    Outlet port;
    Source one(m = 0.5, h = 1);
    Source two(m = -1.5, h = 10);
  equation
    connect(one.port, port);
    connect(two.port, port);
  end Hull;
  model M
    Source first(m = -2, h = 10);
    Taking taking(m = -1, h = 20);
    Sink sink(h = 50);
    Taking third(m = 1, h = 9), fourth(m = 1, h = 8);
    Sink both(h = 7);
    Hull hull;
    Sink end_(h = 77);
  equation
    connect(first.port, taking.port);
    connect(first.port, sink.port);
    connect(third.port, both.port);
    connect(fourth.port, both.port);
    connect(hull.port, end_.port);
  end M;
end StreamBounds;
