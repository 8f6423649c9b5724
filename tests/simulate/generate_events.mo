// With GenerateEvents the relations inside a function are events: a short pulse is not stepped over.
//! command simulate {file} --output - --stop 1 --intervals 2
//! near x(1) = 0.001 within 1e-6
//! near y(1) = 0 within 1e-12
model GenerateEvents
  function pulse
    input Real u;
    output Real y;
  algorithm
    y := if u > 0.3 and u < 0.301 then 1 else 0;
    annotation(GenerateEvents = true, Inline = false);
  end pulse;
  function quiet
    input Real u;
    output Real y;
  algorithm
    y := if u > 0.6 and u < 0.601 then 1 else 0;
    annotation(Inline = false);
  end quiet;
  Real x(start = 0, fixed = true);
  Real y(start = 0, fixed = true) "nobody looks for this one";
equation
  der(x) = pulse(time);
  der(y) = quiet(time);
end GenerateEvents;
