//! command check {file}
//! message there is no class 'Capasitor' in 'P.M'; did you mean 'Capacitor'?
package P
  package Parts
    model Capacitor
    end Capacitor;
  end Parts;
  model M
    import P.Parts.*;
    Capasitor c; //! error F101
  end M;
end P;
