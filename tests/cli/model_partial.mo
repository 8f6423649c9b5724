// The end of a name is enough if only one class has it.
//! command simulate {file} --model Second --output - --intervals 1
//! near y(1) = 2 within 1e-12
//! check {rubato} simulate {file} --model Inner.Second --output - --intervals 1 --quiet | tail -1 | grep -q '^1,2$'
//! check {rubato} simulate {file} --model First 2> words; test $? = 1 && grep -q "error F101: several classes are called 'First': Pack.First, Pack.Inner.First" words
//! check {rubato} simulate {file} --model Thrd 2> words; test $? = 1 && grep -q "there is no class 'Thrd'" words
//! check {rubato} simulate {file} --model Secnd 2> words; test $? = 1 && grep -q "there is no class 'Secnd'; did you mean 'Second'?" words
package Pack
  model First
    Real x = time;
  end First;
  package Inner
    model First
      Real x = 3*time;
    end First;
    model Second
      Real y = 2*time;
    end Second;
  end Inner;
end Pack;
