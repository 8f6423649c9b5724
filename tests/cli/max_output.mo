// The run ends when the result is as large as allowed; all points up to there can be read.
//! command simulate {file} --stop 1e6 --interval 0.1 --max-output 100k --output {tmp}/r.csv
//! error R109
//! message the result has reached its largest size (--max-output)
//! exit 3
//! check test $(wc -c < r.csv) -gt 100000 && test $(wc -c < r.csv) -lt 101000 && {rubato} compare r.csv r.csv --quiet
model M
  Real x = time;
end M;
