// Flows in expandable connectors pass through both sides of them: a spring at one end, a position at the
// other, with a hub between; an end that nothing is connected to has no flow.
//! command simulate {file} --stop 1 --intervals 2 --output -
//! near driver.position.flange.f(0) = -6 within 1e-12
//! near hub.spring.flange.f(0) = 2 within 1e-12
//! near load.spring.flange.f(0) = 4 within 1e-12
//! near load.bus.pedal.f(0) = 4 within 1e-12
//! near idle.bus.pedal.f(0) = 0 within 1e-12
//! near idle.bus.pedal.s(0) = 2 within 1e-12
package BusFlow
  connector Flange
    Real s;
    flow Real f;
  end Flange;
  expandable connector Bus
  end Bus;
  model Position
    Flange flange;
    parameter Real s = 2;
  equation
    flange.s = s;
  end Position;
  model Spring
    Flange flange;
    parameter Real c = 1;
  equation
    flange.f = c*flange.s;
  end Spring;
  model Driver
    Bus bus;
    Position position;
  equation
    connect(position.flange, bus.pedal);
  end Driver;
  model Load
    Bus bus;
    Spring spring(c = 2);
  equation
    connect(bus.pedal, spring.flange);
  end Load;
  model Hub
    Bus one, two;
    Spring spring;
  equation
    connect(one, two);
    connect(one.pedal, spring.flange);
  end Hub;
  model Idle
    Bus bus;
  end Idle;
  model Test
    Driver driver;
    Hub hub;
    Load load;
    Idle idle;
  equation
    connect(driver.bus, hub.one);
    connect(hub.two, load.bus);
    connect(load.bus, idle.bus);
  end Test;
end BusFlow;
