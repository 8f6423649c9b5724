// Distributions in loops and in arrays of components: each has a past of its own.
//! command simulate {file} --stop 4 --output -
//! near y1[1](4) = 3 within 1e-5
//! near y1[2](4) = 7 within 1e-5
//! near p[1].y(4) = 3 within 1e-5
//! near p[3].y(4) = 3.6666666667 within 1e-5
//! near p[2].b.y(4) = 3 within 1e-5
model M
  model Inner
    Real y0, y;
  equation
    (y0, y) = spatialDistribution(time, 0, time, true, initialPoints = {0, 1}, initialValues = {0, 0});
  end Inner;
  model Pipe
    parameter Real v = 1;
    Real y0, y;
    Inner b;
  equation
    (y0, y) = spatialDistribution(time, 0, v*time, true, initialPoints = {0, 1}, initialValues = {0, 0});
  end Pipe;
  Real y0[2], y1[2];
  Pipe p[3](v = {1, 2, 3});
equation
  for i in 1:2 loop
    (y0[i], y1[i]) = spatialDistribution(i*time + (i - 1), 0, time, true,
      initialPoints = {0, 1}, initialValues = {0, 0});
  end for;
end M;
