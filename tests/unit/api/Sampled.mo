model Sampled "Samples, texts made while it runs, left limits"
  parameter Real e = 0.25;
  discrete Integer n(start = 0, fixed = true);
  String s(start = "a", fixed = true);
  Boolean eight;
  Real x(start = 0, fixed = true);
equation
  when sample(e, e) then
    n = pre(n) + 1;
    s = pre(s) + String(n);
  end when;
  eight = s == "a12345678";
  der(x) = if eight then 1 else 0.1*n;
  annotation(experiment(StopTime = 3));
end Sampled;
