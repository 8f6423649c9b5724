//! command simulate {file} --model RestrictionsKept.Test --output -
//! near total(1) = 11 within 1e-12
package RestrictionsKept "Legal neighbours of what specialised classes may not hold"
  type Angle "a type may hold functions"
    extends Real(unit = "rad");
    function wrap
      input Real x;
      output Real y;
    algorithm
      y := x;
    end wrap;
  end Angle;
  operator record C
    Real re;
    encapsulated operator function '+'
      import RestrictionsKept.C;
      input C x;
      input C y;
      output C z;
    algorithm
      z := C(x.re + y.re);
    end '+';
    encapsulated operator '-'
      function subtract
        import RestrictionsKept.C;
        input C x;
        input C y;
        output C z;
      algorithm
        z := C(x.re - y.re);
      end subtract;
      function negate
        import RestrictionsKept.C;
        input C x;
        output C z;
      algorithm
        z := C(-x.re);
      end negate;
    end '-';
  end C;
  type Kind = enumeration(first, last);
  package Numbers
    constant Real one = 1;
    constant Real two = 2;
  end Numbers;
  record R
    parameter Real p = 3;
    Real x;
  end R;
  partial function F
    input Real x;
    output Real y;
  end F;
  function halved "an Integer result is a Real one, too"
    input Real u;
    output Integer n;
  algorithm
    n := integer(u/2);
  end halved;
  function apply
    input F f;
    output Real y;
  algorithm
    y := f(8);
  end apply;
  model Inside
    outer Real g[2];
    Real y = g[2];
  end Inside;
  model Base
    replaceable Real v[2] = {1, 2};
  end Base;
  model Test
    import RestrictionsKept.Numbers.one;
    import RestrictionsKept.Numbers.*;
    inner Real g[2] = {1, 2};
    Inside inside;
    parameter R r(x = 1);
    C a(re = 4), b(re = 1);
    C c = -(a - b) + a;
    Base base(redeclare Real v[2] = {5, 6});
    Kind kind = Kind.last;
    Angle angle = 0;
    Real total = one + two + inside.y + r.p + c.re + apply(halved) + angle
      + (if kind == Kind.last then 0 else 100) + base.v[1] - 8 + 1;
  end Test;
end RestrictionsKept;
