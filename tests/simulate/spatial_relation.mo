// The direction of a flow may be a relation. What is kept at the end of a step that ends where the flow turns
// belongs to the direction before: in the last step before the turn the right end shows what entered at the
// left 0.3 s earlier, not what is about to enter at the right.
//! command simulate {file} --intervals 100 --tolerance 1e-4 --output -
//! near r(0.31) = -0.53645 within 1e-4
//! near r(0.38) = -0.82802 within 1e-4
//! near r(0.4) = 2.27019 within 1e-4
model SpatialRelation
  Real slow(start = 0, fixed = true), l, r;
  constant Real w = 4.0394;
equation
  32.42*der(slow) = 1 - slow;
  (l, r) = spatialDistribution(sin(123.398*time + 0.96792), 2 + 0.4*sin(6*time), 1.5184*sin(w*time),
      cos(w*time) > 0, {0, 1}, {0.49389, 0.49389});
  annotation(experiment(StopTime = 1));
end SpatialRelation;
