// State machines as a graph: options of transitions, a machine inside of a state.
//! command structure --dot {file}
//! output digraph "M" {
//! output     subgraph cluster_state2 {\n      s2 [label="a", penwidth=2];\n      subgraph cluster_machine0 {
//! output         s0 [label="inner_[1]"];\n        s1 [label="inner_[2]"];\n        i0 -> s0;
//! output s0 -> s1 [label="true", style=dashed, arrowhead=empty];
//! output s2 -> s3 [label="time_ > 1", dir=both, arrowtail=tee];
//! output s3 -> s2 [label="2: name == \"b\""];
model M
  block S
  end S;
  block Outer
    S inner_[2];
  equation
    initialState(inner_[1]);
    transition(inner_[1], inner_[2], true, immediate = false, reset = false);
  end Outer;
  parameter String name = "b";
  Outer a;
  S b;
  Real time_ = sample(time, Clock(1));
equation
  initialState(a);
  transition(a, b, time_ > 1, synchronize = true);
  transition(b, a, name == "b", priority = 2);
end M;
