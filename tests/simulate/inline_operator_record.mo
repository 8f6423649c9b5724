// Operators of a record are inlined: an equation can be solved for any of their arguments.
//! command simulate {file} --model M --stop 1 --output -
//! near i.re(1) = 0.24 within 1e-9
//! near i.im(1) = -0.32 within 1e-9
//! near p(0.5) = 0.75 within 1e-9
operator record Number
  Real re;
  Real im;
  operator 'constructor'
    function fromReal
      input Real re;
      input Real im = 0;
      output Number z(re = re, im = im);
    algorithm
    end fromReal;
  end 'constructor';
  operator '*'
    function multiply
      input Number a;
      input Number b;
      output Number c;
    algorithm
      c := Number(a.re*b.re - a.im*b.im, a.re*b.im + a.im*b.re);
    end multiply;
  end '*';
  operator '-'
    function subtract
      input Number a;
      input Number b;
      output Number c;
    algorithm
      c := Number(a.re - b.re, a.im - b.im);
    end subtract;
  end '-';
end Number;

function square
  input Number z;
  output Real y;
algorithm
  y := z.re^2 + z.im^2;
end square;

model M
  Number v, i;
  parameter Number z = Number(3, 4);
  Real p = square(Number(1 + time, 0) - Number(0.5, 0.5)) - square(Number(time, 0.5));
equation
  v - z*i = Number(0);
  v = Number(1 + time);
end M;
