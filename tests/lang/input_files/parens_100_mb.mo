// A hundred megabytes of '(' must end in one message, quickly.
//! input { printf 'model M Real x = '; head -c 100000000 /dev/zero | tr '\0' '('; } > {tmp}/input.mo
//! command parse {tmp}/input.mo
//! error P112 1:416
