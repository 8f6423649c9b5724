// 65 kB and more in one string.
//! input { printf 'model M "'; head -c 200000 /dev/zero | tr '\0' 'x'; printf '"\nend M;\n'; } > {tmp}/input.mo
//! command parse {tmp}/input.mo
//! output 0 errors in 0 files
