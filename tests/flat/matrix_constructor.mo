//! command flat {file}
//! output Real[2, 3] A = cat(
model M
  Real b[2] = {1, 2};
  Real A[2, 3] = [b, zeros(2, 2)];
end M;
