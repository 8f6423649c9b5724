// Classes of the libraries are recognised from their equations alone.
//! command structure Rubato.Planar.Prismatic --components
//! output Rubato.Planar.Prismatic: LIED: the potential is differentiated; from to to on; 2 states, torn by der(v) with as many residuals
//! check for c in Fixed Translation Rotation Prismatic Revolute Body SpringDamper Force Torque Contact; do {rubato} structure Rubato.Planar.$c --components || exit 1; done | grep -c ': LIED: the potential' | grep -qx 10
//! check for c in Source Sink Resistance Pump Conduction Splitter Junction Volume; do {rubato} structure Rubato.Streams.$c --components || exit 1; done | grep -c ': LIED: the flow' | grep -qx 8
