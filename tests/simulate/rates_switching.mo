// 100 cells of which 20 switch: crossings and equations that are evaluated, against one rate. At a
// tight tolerance the times of the events are the same. At a loose one the states are far better than it
// (3e-4 K), at every point: just in front of events, at them, and where a step was refined around several.
//! command simulate {dir}/../../examples/multirate/SwitchingCells.mo --rates 2 --tolerance 1e-6 --stop 20 --output - --stats {tmp}/s
//! near on[1](19.9) = 0 within 1
//! check {rubato} simulate {dir}/../../examples/multirate/SwitchingCells.mo --rates 1 --tolerance 1e-6 --stop 20 --quiet --output one.csv --stats o
//! check python3 -c "import json;a=json.load(open('o'));b=json.load(open('s'));assert 4*b['crossing_rows']<a['crossing_rows'];assert 3*b['rhs_rows']<a['rhs_rows'];assert a['events_state']==b['events_state']>400"
//! check for r in 1 2; do {rubato} simulate {dir}/../../examples/multirate/SwitchingCells.mo --rates $r --tolerance 1e-12 --method rodas5p --stop 7 --quiet --output $r.csv; done
//! check python3 -c "import csv;e=lambda p:(lambda t:[x for x,y in zip(t,t[1:]) if x==y])([float(r[0]) for r in list(csv.reader(open(p)))[1:]]);a,b=e('1.csv'),e('2.csv');assert len(a)==len(b)>200;assert max(abs(x-y)/x for x,y in zip(a[1:],b[1:]))<1e-9"
//! check set -- {rubato} simulate {dir}/../../examples/multirate/SwitchingCells.mo --stop 20 --interval 0.1 --quiet; "$@" --tolerance 1e-10 --output tight.csv; for r in 2 3; do "$@" --tolerance 1e-6 --method rodas4 --rates $r --output rates$r.csv; done
//! check python3 -c "import csv;f=lambda p:[[float(v) for k,v in r.items() if k[:2]=='T['] for r in csv.DictReader(open(p))];a=f('tight.csv');g=lambda b:max(abs(x-y) for p,q in zip(a,b) for x,y in zip(p,q)) if len(a)==len(b)>1500 else 9;w=g(f('rates2.csv')),g(f('rates3.csv'));print(w);assert w[0]<5e-5 and w[1]<5e-6"
//! long
