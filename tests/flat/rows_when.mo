//! command check {file} --dump=rows
//! output x = when edge(
model M
  discrete Real x(start = 0);
equation
  when time > 0.5 then
    x = pre(x) + 1;
  end when;
end M;
