package Ext "A library with code of its own"
  function twice
    input Real x;
    output Real y;
    external "C" y = ext_twice(x);
  end twice;
  model M
    Real y = twice(time);
    annotation (experiment(StopTime=1));
  end M;
end Ext;
