// SPDX-License-Identifier: Apache-2.0
within Rubato;
partial block FMU "A Functional Mock-up Unit as a component: its inputs, outputs and parameters are those of the unit"
  parameter String file "Archive; a relative path begins at the file that names it" annotation(Evaluate = true);
  parameter Real interval(unit = "s") "From one exchange of values to the next";
  annotation(__Rubato_FMU = true);
end FMU;
