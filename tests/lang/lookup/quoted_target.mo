// The model is found although its name holds quotes, dots and spaces.
//! command check {file} --quiet
model 'a.b "c" \'d\\'
  Real 'x y' = 1;
  Real '1+1' = 'x y';
end 'a.b "c" \'d\\';
