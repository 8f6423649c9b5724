model M
  Real x[3];
equation
  for i in 1:3 loop
    x[i] = ;
    if i > 1 then
      x[i] := 2;
    else
      x[i] = 1 +* 2;
    end if;
  end for;
  connect(a b);
end M;
//! error P106 5:12
//! error P107 7:12
//! error P106 9:17
//! error P101 12:13
