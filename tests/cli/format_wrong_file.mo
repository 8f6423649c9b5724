// A file with errors is reported and nothing is printed.
model M Real x = ; end M;
//! command format {file}
//! error P106 2:18
