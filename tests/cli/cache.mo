// The second run comes from the cache, with the same results and warnings, until something has changed.
//! environment XDG_CACHE_HOME={tmp}/cache
//! command simulate {file} --quiet --output r.csv --stages
//! warning F127 19:18
//! message stage: simulate ok
//! check mkdir w && cp {file} w/M.mo && cd w && {rubato} simulate M.mo --quiet --stages 2> 1.out && grep -q "stage: flatten ok" 1.out && cp M_res.mat 1.mat
//! check cd w && {rubato} simulate M.mo --quiet --stages 2> 2.out && ! grep -q "stage: flatten" 2.out && grep -q "stage: compile ok" 2.out && cmp M_res.mat 1.mat
//! check cd w && grep -v stage: 1.out > a && grep -v stage: 2.out > b && grep -q "M.mo:19:18: warning F127" b && cmp a b
//! check cd w && {rubato} simulate M.mo --diagnostics=json --quiet 2> json.out && grep -q '"line":19,"column":18' json.out && grep -q '"code":"F127"' json.out
//! check cd w && {rubato} simulate M.mo --quiet --stages --no-cache 2> out && grep -q "stage: flatten ok" out && cmp M_res.mat 1.mat
//! check cd w && {rubato} simulate M.mo --quiet --stages --rates 2 2> out && grep -q "stage: flatten ok" out
//! check cd w && sed -i "s/der(x) = -k/der(x) = -3/" M.mo && {rubato} simulate M.mo --quiet --stages 2> out && grep -q "stage: flatten ok" out && ! cmp -s M_res.mat 1.mat
//! check cd w && {rubato} simulate M.mo --quiet --stages 2> out && ! grep -q "stage: flatten" out
//! check cd w && echo damaged > x && for f in ../cache/rubato/*.rbp; do cp x $f; done && {rubato} simulate M.mo --quiet --stages 2> out && grep -q "stage: flatten ok" out
//! check mkdir -p l/P && cd l && echo "package P end P;" > P/package.mo && echo "within P; model A Real x = 1; end A;" > P/A.mo && for i in 1 2; do {rubato} simulate P.A --library . --quiet --stages --output P/r.csv 2> $i.out || exit 1; done; grep -q "stage: flatten" 1.out && ! grep -q "stage: flatten" 2.out
//! check cd l && echo "within P; model B end B;" > P/B.mo && {rubato} simulate P.A --library . --quiet --stages --output r.csv 2> out && grep -q "stage: flatten ok" out
//! check cd l && echo "within P; model A Real x = 2; end A;" > P/A.mo && {rubato} simulate P.A --library . --quiet --stages --output r.csv 2> out && grep -q "stage: flatten ok" out && tail -n 1 r.csv | grep -q ",2$"
model M
  parameter Real k;
  Real x(start = 1, fixed = true);
equation
  der(x) = -k*x;
end M;
