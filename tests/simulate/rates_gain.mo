// With --rates auto nothing is lost where an explicit step of all states is cheaper than small implicit ones, and
// levels are used where they pay: counted against one rate. Runs repeat exactly.
//! command simulate {dir}/../../examples/multirate/ThermalChip.mo --rates auto --stop 0.2 --output -
//! check for m in 'ThermalChip 1 1.05' 'ReactionFront 1 1.05' 'DelayLine 10 1.05' 'PowerRing 40 1.05' 'HeatedRooms 2000 0.35' 'BurgersFront 5 0.8' 'SwitchingCells 50 2.5'; do set -- $m; for r in 1 auto; do {rubato} simulate {dir}/../../examples/multirate/$1.mo --rates $r --stop $2 --quiet --variables '^$' --output r.csv --stats $r.json || exit 1; done; python3 -c "import json;a,b=(json.load(open(f+'.json'))['state_steps'] for f in ('auto','1'));assert a<=$3*b,('$1',a,b)" || exit 1; done
// Events: the first level finds them itself while clusters are dearer than an explicit step of everything. Their times
// are those of clusters.
//! check for r in 2 auto; do {rubato} simulate {dir}/../../examples/multirate/SwitchingCells.mo --rates $r --stop 20 --tolerance 1e-9 --quiet --output $r.csv --stats $r.json || exit 1; done; {rubato} compare auto.csv 2.csv --tolerance 1e-5 > out || { tail -3 out; exit 1; }; python3 -c "import json;a,b=(json.load(open(f+'.json')) for f in ('auto','2'));assert a['events_state']==b['events_state'],(a['events_state'],b['events_state']);l=a['levels'];assert l[0]['steps']>10*b['levels'][0]['steps'],(l,b['levels'])"
// Two levels where there is nothing to gain: never for large steps that one rate could take as well (4.7 times the steps).
//! check for r in 1 2; do {rubato} simulate {dir}/../../examples/multirate/DelayLine.mo --rates $r --method rodas4 --tolerance 1e-7 --stop 5 --quiet --variables '^$' --output r.csv --stats $r.json || exit 1; done; python3 -c "import json;a,b=(json.load(open(f+'.json'))['state_steps'] for f in '21');assert a<=1.5*b,(a,b)"
//! check for k in 1 2; do {rubato} simulate {dir}/../../examples/multirate/HeatedRooms.mo --rates auto --stop 1000 --quiet --output $k.csv || exit 1; done; cmp 1.csv 2.csv
model Unused
end Unused;
//! long
