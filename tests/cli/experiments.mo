// Models with a stop time, nested ones too, partial ones not.
//! command parse --experiments {file}
//! output A\nA.B\nA.C.D\n
package A
  model B
    annotation (experiment(StopTime=1));
  end B;
  package C
    model D
      annotation (experiment(Tolerance=1e-4, StopTime=2));
    end D;
    partial model E
      annotation (experiment(StopTime=2));
    end E;
    model F
      annotation (experiment(Tolerance=1e-4));
    end F;
  end C;
  annotation (experiment(StopTime=3));
end A;
