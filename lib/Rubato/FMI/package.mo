// SPDX-License-Identifier: Apache-2.0
within Rubato;
package FMI "What components are made of that stand for Functional Mock-up Units; see docs/fmi.md"
  connector RealInput = input Real;
  connector RealOutput = output Real;
  connector IntegerInput = input Integer;
  connector IntegerOutput = output Integer;
  connector BooleanInput = input Boolean;
  connector BooleanOutput = output Boolean;

  class Unit "One instance of a unit"
    extends ExternalObject;
    function constructor "The archive is opened by the first call of begin, which says what is wrong with it"
      input String path;
      input String token "Identity of the unit that the model was translated with";
      input Real value[:] "Numbers of its parameters, from the second on";
      input String words[:] "Texts of its parameters, from the second on";
      output Unit unit;
      external "C" unit = rubato_unit_open(path, token, value, size(value, 1), words, size(words, 1));
    end constructor;
    function destructor
      input Unit unit;
      external "C" rubato_unit_close(unit);
    end destructor;
  end Unit;

  function complaint "What went wrong last"
    input Unit unit;
    output String words;
    external "C" words = rubato_unit_complaint(unit);
  end complaint;

  // Every function below can be called again with the same arguments and gives the same result: a system of
  // equations, or an event that is repeated, asks more than once. given: time, then the inputs.

  function begin "Initialised with these inputs: time, then the outputs"
    input Unit unit;
    input Real given[:];
    input Integer n;
    output Real told[n];
  protected
    Integer fine;
  algorithm
    (fine, told) := callBegin(unit, given, n);
    assert(fine > 0, complaint(unit));
  end begin;

  impure function step "From where the unit is to this time, with these inputs: time, then the outputs"
    input Unit unit;
    input Real to;
    input Real given[:];
    input Integer n;
    output Real told[n];
  protected
    Integer fine;
  algorithm
    (fine, told) := callStep(unit, to, given, n);
    assert(fine > 0, complaint(unit));
  end step;

protected
  function callBegin
    input Unit unit;
    input Real given[:];
    input Integer n;
    output Integer fine;
    output Real told[n];
    external "C" fine = rubato_unit_begin(unit, given, size(given, 1), told, size(told, 1));
  end callBegin;

  impure function callStep
    input Unit unit;
    input Real to;
    input Real given[:];
    input Integer n;
    output Integer fine;
    output Real told[n];
    external "C" fine = rubato_unit_step(unit, to, given, size(given, 1), told, size(told, 1));
  end callStep;
end FMI;
