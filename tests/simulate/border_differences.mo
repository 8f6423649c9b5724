// After an event differences in single coordinates reach back across the border; the Jacobian is taken further on.
//! command simulate {file} --trust --output - --tolerance 1e-6 --method radauIIA5
//! environment XDG_CACHE_HOME={tmp}
//! near p(1) = -0.2 within 1e-5
//! near p(2) = -0.325 within 1e-5
//! near p(4) = -0.525 within 1e-5
//! check for m in radauIIA3 esdirk4 auto; do {rubato} simulate {file} --trust --method $m --output $m.csv --quiet; tail -1 $m.csv | awk -F, '{exit !($2 > -0.52501 && $2 < -0.52499)}' || exit 1; done
model BorderDifferences
  function rate "Without a derivative"
    input Real s;
    output Real r;
    external "C" r = border_rate(s) annotation(Include = "static double border_rate(double s) {return s > 0 ? -0.2 : -0.1;}");
  end rate;
  Real p(start = 0, fixed = true), q(start = 1, fixed = true), s = q - p;
  Boolean outside = s > 0;
equation
  der(p) = rate(s);
  der(q) = -1;
  annotation(experiment(StopTime = 4));
end BorderDifferences;
