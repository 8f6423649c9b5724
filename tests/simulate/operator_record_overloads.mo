// An operator record with overloaded constructors, signs, products, String, equality and zero.
//! command simulate {file} --stop 1 --output -
//! near z.re(1) = -1 within 1e-12
//! near z.im(1) = 3 within 1e-12
//! near w.re(1) = 2 within 1e-12
//! near eq(1) = 0 within 0
//! near t(1) = 5 within 1e-12
model OperatorRecordOverloads
  operator record C
    Real re;
    Real im;
    encapsulated operator 'constructor'
      import OperatorRecordOverloads.C;
      function fromReal
        input Real re;
        input Real im = 0;
        output C r(re=re, im=im);
      algorithm
      end fromReal;
    end 'constructor';
    encapsulated operator '*'
      import OperatorRecordOverloads.C;
      function mul
        input C a;
        input C b;
        output C r;
      algorithm
        r := C(a.re*b.re - a.im*b.im, a.re*b.im + a.im*b.re);
      end mul;
      function scale
        input C a;
        input Real k;
        output C r;
      algorithm
        r := C(a.re*k, a.im*k);
      end scale;
    end '*';
    encapsulated operator '-'
      import OperatorRecordOverloads.C;
      function neg
        input C a;
        output C r;
      algorithm
        r := C(-a.re, -a.im);
      end neg;
      function sub
        input C a;
        input C b;
        output C r;
      algorithm
        r := C(a.re - b.re, a.im - b.im);
      end sub;
    end '-';
    encapsulated operator function '=='
      import OperatorRecordOverloads.C;
      input C a;
      input C b;
      output Boolean r;
    algorithm
      r := a.re == b.re and a.im == b.im;
    end '==';
    encapsulated operator function 'String'
      import OperatorRecordOverloads.C;
      input C a;
      output String s;
    algorithm
      s := String(a.re) + "+" + String(a.im) + "j";
    end 'String';
    encapsulated operator function '0'
      import OperatorRecordOverloads.C;
      output C c;
    algorithm
      c := C(0, 0);
    end '0';
    encapsulated operator '+'
      import OperatorRecordOverloads.C;
      function add
        input C a;
        input C b;
        output C r;
      algorithm
        r := C(a.re + b.re, a.im + b.im);
      end add;
    end '+';
  end C;
  parameter C a = C(1, 2);
  C b(re=time, im=time);
  C z = a*b;
  C w = -(-C(2));
  Boolean eq = a == b;
  C s = sum({a, a, C(3)});
  Real t = s.re;
end OperatorRecordOverloads;
