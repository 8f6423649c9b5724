// The first root that has the name decides, even if a later one has a newer version.
//! input mkdir -p {tmp}/lib/Demo && printf "package Demo\nend Demo;\n" > {tmp}/lib/Demo/package.mo
//! environment MODELICAPATH={tmp}/lib:{dir}/input/libs
//! command parse Demo
//! output lib/Demo/package.mo:1:9, 1 file read
