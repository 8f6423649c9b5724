// A state with two machines in it that run in parallel, variables that are inner and outer, and the reset of
// what lies inside (17.3.2 to 17.3.5). The level falls by 3 from 9 to 0 (drain, 4 ticks), then two
// ticks of rest; beside it the watch counts. Both ways lead out of `work` together, `fill` brings the level
// to 10, and `work` starts anew: rounds and watch begin with their start values, `late` when it is reached.
//! command simulate {file} --output - --stop 17 --interval 0.5
//! near level(0.5) = 6 within 0
//! near level(1.5) = 3 within 0
//! near level(2.5) = 0 within 0
//! near level(3.5) = 0 within 0
//! near level(4.5) = 0 within 0
//! near level(5.5) = 0 within 0
//! near level(6.5) = 5 within 0
//! near level(7.5) = 10 within 0
//! near level(8.5) = 7 within 0
//! near level(9.5) = 4 within 0
//! near level(10.5) = 1 within 0
//! near level(11.5) = -2 within 0
//! near level(12.5) = -2 within 0
//! near work.level(7.5) = 0 within 0
//! near work.drain.level(5.5) = 0 within 0
//! near work.rounds(2.5) = 0 within 0
//! near work.rounds(3.5) = 1 within 0
//! near work.rounds(4.5) = 2 within 0
//! near work.rounds(7.5) = 2 within 0
//! near work.rounds(8.5) = 0 within 0
//! near work.rounds(12.5) = 1 within 0
//! near work.watch.i(2.5) = 3 within 0
//! near work.watch.i(5.5) = 3 within 0
//! near work.watch.i(8.5) = 1 within 0
//! near work.watch.seen(7.5) = 0 within 0
//! near work.late.j(3.5) = 1 within 0
//! near work.late.j(5.5) = 3 within 0
//! near work.late.j(10.5) = 3 within 0
//! near work.late.j(11.5) = 1 within 0
//! near inside(5.5) = 1 within 0
//! near inside(6.5) = 0 within 0
model Hierarchy
  inner Integer level(start = 9);
  Integer inside;
  block Work
    inner outer output Integer level;
    inner Integer rounds(start = 0);
    block Drain
      outer output Integer level;
    equation
      level = previous(level) - 3;
    end Drain;
    block Rest
      outer output Integer rounds;
    equation
      previous(rounds) + 1 = rounds;
    end Rest;
    block Done
    end Done;
    block Watch
      outer input Integer level;
      Integer i(start = 0), seen = level;
    equation
      i = previous(i) + 1;
    end Watch;
    block Late
      Integer j(start = 0);
    equation
      j = previous(j) + 1;
    end Late;
    Drain drain;
    Rest rest;
    Done done;
    Watch watch;
    Late late;
  equation
    initialState(drain);
    transition(drain, rest, level <= 0, immediate = false);
    transition(rest, done, rounds >= 2, immediate = false);
    initialState(watch);
    transition(watch, late, watch.i > 2, immediate = false, reset = false);
  end Work;
  block Fill
    outer output Integer level;
  equation
    level = previous(level) + 5;
  end Fill;
  Work work;
  Fill fill;
equation
  initialState(work);
  transition(work, fill, activeState(work.done) and activeState(work.late), immediate = false);
  transition(fill, work, level >= 10, immediate = false);
  inside = if activeState(work) then 1 else 0;
  when Clock(1) then
    assert(level > -100, "the level is too low");
  end when;
end Hierarchy;
