// Events of parts on threads: result, trace and counts are those of one thread, bit by bit. Two-point
// heaters, sawteeth that are set back, chains of discrete values, and events of the whole between them.
//! command simulate {file} --rates 3 --tier 0 --tolerance 1e-7 --threads 4,1 --output -
//! near T[3](8) = 299.93344892977524 within 2e-5
//! near U[7](8) = 295.48226876483022 within 2e-5
//! near s[9](8) = 0.69000000004598072 within 2e-5
//! near T[12](8) = 299.04274670660266 within 2e-5
//! near strength[5](8) = 1 within 2e-5
//! near count[9](8) = 5 within 2e-5
//! check for r in 2 auto 3; do for n in 1 2 4; do {rubato} simulate {file} --rates $r --tier 0 --tolerance 1e-7 --threads $n,1 --quiet --output $n.csv --trace $n.tr --stats $n.json; done; for n in 2 4; do cmp 1.csv $n.csv && cmp 1.tr $n.tr || exit 1; done; done
//! check python3 -c "import json;a,b,c=[{k:v for k,v in json.load(open('%d.json'%n)).items() if not k.startswith(('time_','memory_','selection_'))} for n in (1,2,4)];assert a==b==c,(a,b,c);assert a['events_state']==209 and a['events_time']==6 and a['levels'][1]['steps']>200,a"
model rates_threads
  parameter Integer N = 12;
  parameter Real k = 0.004 "Between units";
  Real T[N](each start = 299.5, each fixed = true) "With a heater";
  Real U[N](each start = 294, each fixed = true) "Leads to the next unit";
  Real s[N](start = {mod(0.37*i, 1) for i in 1:N}, each fixed = true) "Sawtooth";
  discrete Real set(start = 300, fixed = true) "For all";
  Boolean on[N](start = {mod(i, 2) == 0 for i in 1:N}, each fixed = true);
  Integer count[N](each start = 0, each fixed = true);
  Boolean third[N](each start = false, each fixed = true);
  discrete Real strength[N](each start = 1, each fixed = true);
  Real warm = sum(T)/N;
  Boolean hot(start = false, fixed = true);
equation
  for i in 1:N loop
    on[i] = pre(on[i]) and not T[i] > set + 1 or T[i] < set - 1;
    der(T[i]) = 0.12*(290 - T[i]) + 0.05*(U[i] - T[i]) + 0.1*s[i]
      + (if on[i] then strength[i]*(3 + 0.15*mod(i, 5)) else 0)
      + (if i > 1 then k*(U[max(i - 1, 1)] - T[i]) else 0);
    der(U[i]) = 0.05*(T[i] - U[i]) + 0.02*(290 - U[i])
      + (if i < N then k*(T[min(i + 1, N)] - U[i]) else 0);
    der(s[i]) = 0.4 + 0.03*i;
    when s[i] > 1 then
      reinit(s[i], pre(s[i]) - 1);
      count[i] = pre(count[i]) + 1;
    end when;
    third[i] = mod(count[i], 3) == 0;
    when third[i] then
      strength[i] = 2 - pre(strength[i]);
    end when;
  end for;
  when sample(1.1, 1.3) then
    set = 300 + 0.3*sin(3*time);
  end when;
  hot = warm > 300.2;
  annotation(experiment(StopTime = 8));
end rates_threads;
//! long
