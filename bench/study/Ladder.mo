package Ladders "A circuit with ten states, once and as a family of components"
  model Ladder "Ten resistors and ten capacitors behind a sine voltage"
    parameter Real R = 1;
    parameter Real C = 0.01;
    Real v[10](each start = 0, each fixed = true);
    Real u = sin(20*time);
  equation
    C*der(v[1]) = (u - v[1])/R - (v[1] - v[2])/R;
    for i in 2:9 loop
      C*der(v[i]) = (v[i - 1] - v[i])/R - (v[i] - v[i + 1])/R;
    end for;
    C*der(v[10]) = (v[9] - v[10])/R;
    annotation(experiment(StopTime = 1, Tolerance = 1e-6));
  end Ladder;

  model Many "For --components: all ladders step together"
    parameter Integer n = 10000;
    Ladder part[n](R = {0.5 + i/n for i in 1:n});
    annotation(experiment(StopTime = 1, Tolerance = 1e-6));
  end Many;
end Ladders;
