// each gives an array to every instance, also if it has as many elements as there are instances.
//! command simulate {file} --model M --components --stop 1 --interval 0.001 --fixed-step 0.001 --output -
//! near part[1].x[1](1) = 0.367879441171 within 1e-10
//! near part[1].x[2](1) = 0.135335283237 within 1e-10
//! near part[2].x[1](1) = 0.367879441171 within 1e-10
//! near part[2].x[2](1) = 0.135335283237 within 1e-10
//! near slow[2].x[1](1) = 0.951229424501 within 1e-10
//! near slow[1].x[2](1) = 0.670320046036 within 1e-10
model Part
  parameter Real k[2] = {1, 1};
  Real x[2](each start = 1, each fixed = true);
equation
  for i in 1:2 loop
    der(x[i]) = -k[i]*x[i];
  end for;
end Part;
model M
  Part part[2](each k = {1, 2});
  Part slow[2](k = {{0.5, 0.4}, {0.05, 0.3}});
end M;
