// SPDX-License-Identifier: Apache-2.0
package Rubato "Components that come with the program"
  constant Real THETA = 1.0
    "Makes a process infinitely fast: THETA*der(x) = f(x) is the equilibrium f = 0 that x reaches; see docs/theta.md"
    annotation(__Rubato_theta = true);
end Rubato;
