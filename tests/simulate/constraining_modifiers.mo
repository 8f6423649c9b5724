//! command simulate {file} --model ConstrainingModifiers.Test --output -
//! near plain.part.y(1) = 2 within 1e-9
//! near replaced.part.y(1) = 4 within 1e-9
//! near modified.part.y(1) = 10 within 1e-9
//! near twice.part.y(1) = 4 within 1e-9
//! near own.part.y(1) = 3 within 1e-9
//! near later.m.z[3](1) = 5 within 1e-9
//! near derived.m.z[3](1) = 6 within 1e-9
//! near outside.m.z[3](1) = 8 within 1e-9
//! near short.t.y(1) = 4 within 1e-9
//! near given.t.y(1) = 9 within 1e-9
//! near tank.volume.s[2](1) = 24 within 1e-9
package ConstrainingModifiers "Modifiers of constraining types hold for what is declared and for what replaces it (7.3.2)"
  partial model Base
    parameter Real x = 1;
    Real y;
  end Base;
  model Line
    extends Base;
  equation
    y = x*time;
  end Line;
  model Steep
    extends Base(x = 7);
  equation
    y = 2*x*time;
  end Steep;
  model Holder
    replaceable Line part constrainedby Base(x = 2);
  end Holder;
  model HolderOfSteep
    extends Holder(redeclare replaceable Steep part);
  end HolderOfSteep;
  model OwnCountsMore
    replaceable Line part(x = 3) constrainedby Base(x = 2);
  end OwnCountsMore;

  package Medium
    constant Integer n = 1;
  end Medium;
  package Mixture
    extends Medium(n = 3);
  end Mixture;
  model Wide
    parameter Integer k = 1;
    replaceable package M = Medium;
    Real z[M.n] = fill(k*time, M.n);
  end Wide;
  model Wider
    extends Wide;
    Real more = time;
  end Wider;
  model Later "the clause names elements that are declared after it"
    replaceable model Part = Wide constrainedby Wide(final k = k, redeclare package M = Local);
    parameter Integer k = 5;
    package Local = Mixture;
    Part m;
  end Later;
  model Derived
    extends Later(redeclare model Part = Wider);
  end Derived;

  model Scaled
    parameter Real w = 1;
    Real y = w*time;
  end Scaled;
  model Short "without a clause the modifiers of the declaration are kept; their scope is here"
    replaceable model T = Scaled(w = w);
    parameter Real w = 4;
    T t;
  end Short;

  partial package Fluid
    constant Integer nX;
    constant Real c;
  end Fluid;
  package Water
    extends Fluid(nX = 2, c = 4);
  end Water;
  partial model BaseVolume
    replaceable package M = Fluid;
    parameter Integer ports = 0;
    Real s[M.nX];
  end BaseVolume;
  model Volume
    extends BaseVolume;
  equation
    s = M.c*{i for i in 1:M.nX};
  end Volume;
  model ScaledVolume
    extends BaseVolume;
    parameter Real k = 2;
  equation
    s = k*ports/2*M.c*{i for i in 1:M.nX};
  end ScaledVolume;
  partial model PartialTank
    replaceable package Medium1 = Fluid;
    replaceable Volume volume constrainedby BaseVolume(redeclare package M = Medium1, ports = 2);
  end PartialTank;
  model Tank
    extends PartialTank(redeclare final package Medium1 = M, redeclare final ScaledVolume volume(k = 3));
    replaceable package M = Fluid;
  end Tank;

  model Test
    Holder plain;
    Holder replaced(redeclare Steep part);
    Holder modified(redeclare Steep part(x = 5));
    HolderOfSteep twice;
    OwnCountsMore own;
    Later later;
    Derived derived(k = 6);
    Later outside(k = 8, redeclare model Part = Wider);
    Short short(redeclare model T = Scaled);
    Short given(redeclare model T = Scaled(w = 9));
    Tank tank(redeclare package M = Water);
  end Test;
end ConstrainingModifiers;
