// Every level may have its own method: implicit above explicit above implicit, and others.
//! command simulate {dir}/../../examples/multirate/ReactionFront.mo --set N=200 --tolerance 1e-9 --stop 0.2 --output - --quiet
//! near u[1](0.2) = 1 within 1e-6
//! near u[200](0.2) = 0 within 1e-6
//! check set -- {rubato} simulate {dir}/../../examples/multirate/ReactionFront.mo --set N=200 --stop 0.2 --intervals 20 --quiet; "$@" --tolerance 1e-9 --output r.csv; for m in radauIIA3,tsit5,rodas4 rodas4,esdirk4,radauIIA3 esdirk4,rodas4,tsit5; do "$@" --tolerance 1e-6 --rates 3 --method $m --output x.csv --stats s || exit 1; {rubato} compare x.csv r.csv --tolerance 1e-4 > out || { tail -3 out; exit 1; }; python3 -c "import json;l=json.load(open('s'))['levels'];assert len(l)==3 and all(x['steps']>0 for x in l),l" || exit 1; done
