operator record R
  operator 
  end '+';
end R;
//! error P115 3:3
