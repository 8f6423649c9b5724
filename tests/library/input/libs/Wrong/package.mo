package Wrong
  Real x = ;
end Wrong;
