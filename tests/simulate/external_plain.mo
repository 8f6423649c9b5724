// A function of the C library itself needs neither Include nor Library, only the word that foreign code may
// run; a name that nothing has is a located message.
//! command simulate {file} --trust --output -
//! environment XDG_CACHE_HOME={tmp}
//! near y(1) = 0.76159415595576489 within 1e-14
//! check {rubato} simulate {file} --output r.csv 2> words; test $? = 3 && grep -q "trust" words
//! check sed 's/tanh(x)/no_such_name(x)/' {file} > n.mo; {rubato} simulate n.mo --trust --output r.csv 2> words; test $? = 3 && grep -q "n.mo:.*no_such_name" words
model M
  function hyperbolic
    input Real x;
    output Real y;
    external "C" y = tanh(x);
  end hyperbolic;
  Real y = hyperbolic(time);
end M;
