// Three levels: exact solutions, and a trace whose small steps fill the large ones.
//! command simulate {dir}/../../examples/multirate/ThreeTempos.mo --rates 3 --tolerance 1e-8 --stop 1 --output - --trace {tmp}/t
//! near error[1](1) = 0 within 1e-6
//! near error[2](1) = 0 within 1e-6
//! near error[3](1) = 0 within 1e-6
//! near x[1](0.5) = 1.9691578306195705 within 1e-6
//! near x[3](0.5) = 1.5770820127713732 within 1e-6
//! check python3 -c "import json;L=[json.loads(l) for l in open('t')];s=[l for l in L if 'h' in l];assert L[0]['states']==['x[1]','x[2]','x[3]'];assert {l['level'] for l in s}>={0,1};assert abs(sum(l['h'] for l in s if l['level']==0)-1)<1e-12;assert all(l['states'] is None for l in s if l['level']==0)"
//! stat levels[1].steps > levels[0].steps
//! stat state_steps = levels[0].state_steps + levels[1].state_steps + levels[2].state_steps
//! stat levels[1].states_mean < 3
