// Constructors and operators of clocks in all their forms (16.3, 16.5): named arguments, clocks that are
// inferred, chosen, in arrays, records and around components, counters and intervals that vary, and values
// before the first tick.
//! command simulate {file} --output - --stop 4.1 --interval 0.005
//! near named(0.355) = 0.3 within 1e-12
//! near real(0.355) = 0.3 within 1e-12
//! near wait(0.2) = 0 within 0
//! near wait(0.3) = 0.5 within 1e-12
//! near nothing(0.355) = 4 within 0
//! near like(0.355) = 0.3 within 1e-12
//! near chosen(0.955) = 5 within 0
//! near faster(0.955) = 20 within 0
//! near around.n(0.955) = 10 within 0
//! near record_(0.955) = 3 within 0
//! near second(3.9) = 2 within 0
//! near last(3.9) = 2 within 0
//! near varies(0.002) = 1 within 0
//! near varies(0.0375) = 2 within 0
//! near varies(0.0675) = 2 within 0
//! near varies(0.0775) = 3 within 0
//! near varies(0.1275) = 4 within 0
//! near most(0.905) = 1 within 1e-12
//! near most_delayed(0.805) = 0.8 within 1e-12
//! near most_now(0.805) = 0.9 within 1e-12
//! near shifted(0.1) = 10 within 0
//! near shifted(1.3) = 1 within 0
//! near back(0.5) = 10 within 0
//! near back(1.5) = 0 within 0
//! near back(2.5) = 1 within 0
//! near later(1.5) = 0 within 0
//! near later(3.5) = 2 within 0
//! near slow(3.9) = 0 within 0
//! near slow(4.05) = 4 within 0
//! near spread(3.9) = 0 within 0
//! near spread(4.05) = 4 within 0
//! near held(0.2) = 7 within 0
//! near held(0.355) = 0 within 1e-12
//! near held(0.405) = 0.1 within 1e-12
//! near constant_(1) = 3 within 0
//! near steady(0.355) = 3.3 within 1e-12
//! near settled(0.05) = 2 within 1e-9
//! near vector[2](0.555) = 1 within 1e-12
//! near events(3.5) = 6 within 0
//! near half(3.5) = 3 within 0
//! near without(3.5) = 4 within 0
model Checklist
  block Around
    outer Clock beat;
    Integer n(start = 0);
  equation
    when beat then
      n = previous(n) + 1;
    end when;
  end Around;
  record R
    Clock c;
  end R;
  parameter Integer f = 2;
  parameter Real p = 3;
  inner Clock beat = Clock(1, 10);
  Around around;
  R r;
  Clock list[3] = {Clock(1), Clock(1, 2), Clock(2)}, some[2] = cat(1, {list[1]}, {list[3]});
  Clock slower = if f > 0 then subSample(beat, f) elseif f < 0 then superSample(beat, -f) else beat;
  Clock twice = if f > 5 then beat else superSample(beat, f);
  // named and positional arguments
  Real named = sample(time, Clock(intervalCounter = 1, resolution = 10));
  Real real = sample(time, clock = Clock(interval = 0.1));
  Real wait = hold(after), after(start = 0) = interval(late),
    late = sample(time, Clock(condition = time > 0.25, startInterval = 0.5));
  Integer nothing(start = 0), chosen(start = 0), faster(start = 0), record_(start = 0),
    second(start = 0), last(start = 0);
  Real like;
  // counters and intervals that vary
  Real next(start = 0.02);
  Integer varies(start = 0);
  // noClock is not sample(hold())
  Real most(start = 0), most_now(start = 0), most_delayed(start = 0);
  // shift and back
  Integer y = integer(sample(time + 0.5, Clock(1)));
  Integer shifted(start = 10) = shiftSample(y, shiftCounter = 1, resolution = 5);
  Integer back = backSample(shifted, backCounter = 1, resolution = 5);
  Integer later = shiftSample(shifted, 4, 5);
  Integer slow = subSample(y, factor = 4), spread = superSample(slow, 5);
  // before the first tick, and of parameters
  Real first(start = 7) = shiftSample(sample(time - 0.3, Clock(1, 10)), 3), held = hold(first);
  Real constant_ = hold(p) + 0*time, steady = sample(time, Clock(1, 10)) + previous(p);
  // the first tick comes after the initialisation
  Real x(start = 1), settled = sample(x, Clock(1, 10));
  Real vector[2] = sample({time, 2*time}, Clock(1, 10));
  // clocks of conditions
  Clock crossing = Clock(sin(10*time) > 0);
  Clock fourth = subSample(crossing, 4), pair = superSample(fourth, 2), skipped = shiftSample(crossing, 2);
  Integer events(start = 0), half(start = 0), without(start = 0);
initial equation
  der(x) = 0;
equation
  when Clock(c = beat, solverMethod = "") then
    nothing = previous(nothing) + 1;
  end when;
  when Clock(0, 10) then
    like = named;
  end when;
  when slower then
    chosen = previous(chosen) + 1;
  end when;
  when twice then
    faster = previous(faster) + 1;
  end when;
  r.c = Clock(3, 10);
  when r.c then
    record_ = previous(record_) + (if firstTick() then 0 else 1);
  end when;
  when some[2] then
    second = previous(second) + 1;
  end when;
  when list[3] then
    last = previous(last) + 1;
  end when;
  when Clock(next) then
    next = previous(next) + 0.01;
    varies = previous(varies) + 1;
  end when;
  when Clock(0.1) then
    most = previous(most) + 0.1;
  end when;
  when Clock() then
    most_now = noClock(subSample(most, 2));
    most_delayed = sample(hold(most));
  end when;
  der(x) + x = 2;
  when crossing then
    events = previous(events) + 1;
  end when;
  when pair then
    half = previous(half) + 1;
  end when;
  when skipped then
    without = previous(without) + 1;
  end when;
end Checklist;
