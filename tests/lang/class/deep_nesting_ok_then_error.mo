package A
  package B
    package C
      model D
        Real x = ;
      end D;
    end C;
  end B;
end A;
//! error P106 5:18
