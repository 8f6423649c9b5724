// Among several versions in a folder the one that the model uses is taken. Where only another one is found, a
// warning names both versions and both places, unless the library says that no conversion is needed.
//! input mkdir -p "a/Lib 1.0" "a/Lib 2.0" "b/Lib 2.0" c && printf 'package Lib\n  constant Real c = 1;\n  annotation(version = "1.0");\nend Lib;\n' > "a/Lib 1.0/package.mo" && printf 'package Lib\n  constant Real c = 2;\n  annotation(version = "2.0", conversion(noneFromVersion = "1.5"));\nend Lib;\n' | tee "a/Lib 2.0/package.mo" > "b/Lib 2.0/package.mo" && printf 'package Lib\n  constant Real c = 3;\n  annotation(version = "3.0", conversion(noneFromVersion = "1.0"));\nend Lib;\n' > c/Lib.mo
//! command simulate {file} --model Mine.M --library {tmp}/b --stop 1 --intervals 1 --output -
//! warning F163 16:19
//! message 'Mine' uses version 1.0 of 'Lib', but version 2.0 was found
//! message package.mo:1:9: note: it is here; another one is named with --library or in MODELICAPATH
//! near x(1) = 2 within 0
//! check {rubato} simulate {file} --model Mine.M --library a --stop 1 --output a.csv --quiet 2> words && ! test -s words && tail -1 a.csv | grep -q '^1,1'
//! check {rubato} simulate {file} --model Mine.M --library c --stop 1 --output c.csv --quiet 2> words && ! test -s words && tail -1 c.csv | grep -q '^1,3'
//! check {rubato} check {file} --model Mine.M 2> words; grep -q "note: a library 'Lib' of version 1.0 was searched in: .*Other folders are named with --library or in MODELICAPATH" words
package Mine
  model M
    Real x = Lib.c;
  end M;
  annotation(uses(Lib(version = "1.0")));
end Mine;
