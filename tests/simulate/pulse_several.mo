// Several pulses of inputs that come and go in one step: each state has its own, some are in one formula, and a narrow one
// stands beside a wider one. One place of a step was looked at, and stages of the dense output hid pulses at simple fractions.
//! command simulate {file} --output - --quiet
//! near q[1](10) = 3.02380180001 within 2e-4
//! near q[2](10) = 0.02330856 within 2e-4
//! near q[3](10) = 0.0120806023343 within 2e-4
//! near q[4](10) = 0.18577763797 within 2e-4
//! check for c in '--method verner9 --rates auto' '--method tsit5 --rates 2' '--method bs3 --rates 2' '--method gauss3' '--method radauIIA5' '--method rodas5p --rates 2' '--method verner7 --tolerance 1e-9' '--method esdirk4 --rates auto' '--rates auto'; do {rubato} simulate {file} $c --quiet --output r.csv || exit 1; python3 -c "import csv;r=list(csv.DictReader(open('r.csv')))[-1];w=[3.02380180001,0.02330856,0.0120806023343,0.18577763797];assert all(abs(float(r['q[%d]'%(k+1)])-w[k])<2e-4 for k in range(4)),('$c',r)" || exit 1; done
model pulse_several
  Real x(start = 0, fixed = true) "slow", q[4](each start = 0, each fixed = true), u;
equation
  13*der(x) = 1 - x;
  der(q[1]) = x;
  u = 0.981*(tanh((time - 7.7877)/0.00396) - tanh((time - 7.7877 - 0.01188)/0.00396));
  der(q[2]) = u;
  der(q[3]) = 0.995*exp(-((time - 3.7341)/0.00685)^2);
  der(q[4]) = 1.109*(tanh((time - 7.578)/0.0273) - tanh((time - 7.578 - 0.0819)/0.0273)) + 1.645/(1 + ((time - 7.5228)/0.000798)^2);
  annotation(experiment(StopTime = 10, Tolerance = 1e-6));
end pulse_several;
