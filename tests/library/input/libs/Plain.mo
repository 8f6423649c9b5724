package Plain
  model M
  end M;
end Plain;
