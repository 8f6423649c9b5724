// A size that is given from outside counts for check, too.
//! command check {file} --set n=5
//! output 5 states: x[1], x[2], x[3], x[4], x[5]
//! check {rubato} check {file} --set m=5 2> words; test $? = 2 && grep -q "the model has no such variable" words
model M
  parameter Integer n = 3;
  Real x[n](each start = 1, each fixed = true);
equation
  der(x) = -x;
end M;
