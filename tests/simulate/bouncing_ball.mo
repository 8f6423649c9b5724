// Height before and after the first bounce, in closed form.
//! command simulate {dir}/../../examples/BouncingBall.mo --output -
//! near h(0.4) = 0.21519999999999995 within 1e-9
//! near h(0.8) = 0.6392035620208291 within 1e-8
//! near flying(0.8) = 1 within 0
