// One changed bit in a program file is noticed, and so is a part that is missing.
//! input {rubato} build {file} -o m.rbp --quiet && python3 -c "b=bytearray(open('m.rbp','rb').read()); b[len(b)//2]^=4; open('bad.rbp','wb').write(b)"
//! command simulate bad.rbp --output r.csv
//! exit 1
//! message rubato: 'bad.rbp' is not usable: it is damaged
//! check test ! -e r.csv
//! check head -c 5000 m.rbp > cut.rbp; {rubato} simulate cut.rbp > out 2>&1; test $? = 1 && grep -q "'cut.rbp' is not usable: it is damaged" out
//! check python3 -c "b=bytearray(open('m.rbp','rb').read()); b[9]^=4; open('old.rbp','wb').write(b)"; {rubato} simulate old.rbp > out 2>&1; test $? = 1 && grep -q "made by another version of rubato" out
//! check echo hello > text.rbp; {rubato} simulate text.rbp > out 2>&1; test $? = 1 && grep -q "'text.rbp' is not usable: it is no program of rubato" out
//! check {rubato} simulate missing.rbp > out 2>&1; test $? = 1 && grep -q "cannot read 'missing.rbp': No such file" out
//! check {rubato} simulate m.rbp --output r.csv --quiet
model M
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
end M;
