package Demo "new"
  model Inside
    model Deep
    end Deep;
  end Inside;
end Demo;
