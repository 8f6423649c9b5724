// Several files: the last one is the target, the classes of the others are found by name, whatever
// the files are called. '-' is standard input, called <stdin> in messages.
//! input printf 'model Base\n  parameter Real k = 3;\n  Real x = k*time;\nend Base;\nmodel Other\n  Real z = 7*time;\nend Other;\n' > parts.mo
//! input printf 'model User\n  extends Base(k = 5);\nend User;\n' > user.mo
//! input printf 'within Pack;\nmodel Inner\n  Real w = Pack.c;\nend Inner;\n' > inner.mo; printf 'package Pack\n  constant Real c = 11;\nend Pack;\n' > pack.mo
//! command simulate {tmp}/parts.mo {file} --output - --intervals 1
//! near x(1) = 4 within 1e-12
//! check {rubato} simulate parts.mo user.mo --output - --intervals 1 --quiet --no-cache | tail -1 | grep -q '^1,5'
//! check {rubato} simulate parts.mo user.mo --model Other --output - --intervals 1 --quiet | tail -1 | grep -q '^1,7$'
//! check {rubato} simulate parts.mo Other --output - --intervals 1 --quiet | tail -1 | grep -q '^1,7$'
//! check {rubato} simulate pack.mo inner.mo --output - --intervals 1 --quiet | tail -1 | grep -q '^1,11$'
//! check {rubato} simulate parts.mo - --output - --intervals 1 --quiet < user.mo | tail -1 | grep -q '^1,5'
//! check sed 's/k = 5/k = 6/' user.mo | {rubato} simulate parts.mo - --output - --intervals 1 --quiet | tail -1 | grep -q '^1,6'
//! check {rubato} variables parts.mo user.mo '^k$' | grep -q '^k  *5  parameter'
//! check echo 'model M Real x = y; end M;' | {rubato} check - 2> words; test $? = 1 && grep -q "^<stdin>:1:18: error F100: there is no 'y' in 'M'" words
//! check {rubato} simulate parts.txt user.mo 2> words; test $? = 2 && grep -q "'parts.txt': only .mo files may stand before the target 'user.mo'" words
//! check {rubato} check 2> words; test $? = 2 && grep -q "name a file or a class" words
//! check {rubato} simulate parts 2> words; test $? = 1 && grep -q "there is a file 'parts.mo' here" words
//! check {rubato} simulate . 2> words; test $? = 2 && grep -q "'.' is a folder, not a model" words
//! check touch r_res.mat; {rubato} check r_res.mat 2> words; test $? = 2 && grep -q "'r_res.mat' is a result, not a model" words
//! check {rubato} simulate Absent 2> words; test $? = 1 && grep -q "a class of a library with its full name" words
model Own
  extends Base(k = 4);
end Own;
