// Powers with an exponent that is whole or half of a whole number are products and a root. Exponents in local
// variables of a function that only their declaration sets are numbers, as are sizes; what is then not used is not made.
//! command simulate {file} --no-cache --stop 1 --intervals 2 --output -
//! near y(0) = 20.9046987566545 within 1e-11
//! near y(1) = 62.5711915850719 within 1e-11
//! near z(1) = 0.311798012875857 within 1e-12
//! near w(1) = 21 within 1e-12
//! near changed(1) = 6.75 within 1e-12
//! check {rubato} simulate {file} --no-cache --stop-after emit --dump emit > out && test $(grep -c "[^_]pow(" out) = 2
//! check grep -q "double a[0-9]* = 0.0; /\* exponent \*/" out && grep -q "RbArray a[0-9]*\[1\] = {{0}}; /\* kept \*/" out
model M
  function series
    input Real x;
    output Real y;
  protected
    Real shift = 1;
    Real factor[:] = {1, 2, 0.5, 1};
    Real exponent[:] = {0.5, 1.5, 3.5, -2.5};
  algorithm
    y := factor[1]*x^exponent[1] + factor[2]*x^exponent[2] + factor[3]*x^exponent[3] + factor[4]*x^exponent[4]
      + x^7/x^4 + shift - size(factor, 1)/4;
    annotation(Inline = false);
  end series;
  function total
    input Real x;
    output Real y = 0;
  protected
    Real kept[:] = {1, 4, 16};
  algorithm
    for k in 1:size(kept, 1) loop
      y := y + kept[k]*x/x;
    end for;
    annotation(Inline = false);
  end total;
  function assigned
    input Real x;
    output Real y;
  protected
    Real power = 2;
    Real list[2] = {1, 2};
  algorithm
    if x > 1 then
      power := 3;
      list[2] := 1;
    end if;
    y := list[2]*x^integer(power)*list[1];
    y := 2*y;
    annotation(Inline = false);
  end assigned;
  Real x = 2 + time, y = series(x), z, w = total(x), changed = assigned(0.5 + time);
equation
  z = (1 + x)^(-0.5)*(x/2)^(-12)*(x/2)^11*(2 + time)^0.5*0.54005 ;
end M;
