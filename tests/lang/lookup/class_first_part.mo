package P
  model M
    Source.Step s;
  end M;
end P;
//! command check --model P.M {file}
//! error F101 3:5
