// Random models of many tempos, each of which once lost events or accuracy: all states fast or set aside,
// a step refused after its events had happened (sample), a state that joined from a poor polynomial, output
// inside a step of states that rest in the next one. And two whose events the first level finds: one state
// that switches among many that rest, a long implicit step after an event.
//! command simulate {dir}/../../examples/multirate/TwoTempos.mo --rates auto --tolerance 1e-7 --stop 1 --output -
//! near error[1](1) = 0 within 1e-6
//! check t="python3 {dir}/../../tools/tempos.py {rubato} --count 1 --keep kept"; $t --seed 2 --rates 3:radauIIA3,rodas4 && $t --seed 14 --rates 2 && $t --seed 18 --rates 'auto 2' && $t --seed 113 --rates 2
//! check for s in 25 28; do python3 {dir}/../../tools/tempos.py {rubato} --count 1 --keep kept --seed $s --rates auto > $s.out || exit 1; python3 -c "import re;a=float(re.search(r'auto ([0-9.e+-]+)',open('$s.out').read()).group(1));assert a<3,a" || exit 1; done
// And one in which a step repeated to end at an event became shorter: 3000 tolerances.
//! check python3 {dir}/../../tools/tempos.py {rubato} --ties --count 1 --keep kept --seed 730 --rates 3:radauIIA3,rodas4 > o && python3 -c "import re;a=float(re.search(r'rodas4 ([0-9.e+-]+)',open('o').read()).group(1));assert a<30,a"
//! long
