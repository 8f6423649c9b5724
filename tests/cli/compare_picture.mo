// The worst variables of a comparison, with the reference dashed.
//! input {rubato} simulate {dir}/plot.mo --output p.mat --intervals 20 --quiet
//! command compare {tmp}/p.mat {dir}/input/z.csv --output {tmp}/worst.svg
//! exit 1
//! output FAIL  z: 
//! check grep -q 'class="c c1 r"' worst.svg && grep -q '>reference<' worst.svg && test $(grep -c '<rect class="a"' worst.svg) = 1
