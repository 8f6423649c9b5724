// SPDX-License-Identifier: Apache-2.0
// Bodies with the interface of ModelicaServices.Animation.Shape: a pendulum, a spring, a box that turns.
package Bodies
  record Orientation
    Real T[3, 3];
    Real w[3];
  end Orientation;

  model Shape "the same members as in the standard library"
    parameter String shapeType = "box";
    input Orientation R = Orientation(T = identity(3), w = zeros(3));
    input Real r[3](each unit = "m") = {0, 0, 0};
    input Real r_shape[3] = {0, 0, 0};
    input Real lengthDirection[3] = {1, 0, 0};
    input Real widthDirection[3] = {0, 1, 0};
    input Real length = 1;
    input Real width = 1;
    input Real height = 1;
    input Real extra = 0;
    input Real color[3] = {255, 0, 0};
    input Real specularCoefficient = 0.7;
  end Shape;

  model Arrow "the same members as Vector in the standard library"
    input Orientation R = Orientation(T = identity(3), w = zeros(3));
    input Real r[3] = {0, 0, 0};
    input Real coordinates[3] = {0, 0, 0};
    input Real color[3] = {0, 0, 255};
    input Real specularCoefficient = 0.7;
    parameter Integer quantity = 1;
    input Boolean headAtOrigin = false;
    input Boolean twoHeadedArrow = false;
  end Arrow;

  model Pendulum
    parameter Real L = 0.8;
    Real phi(start = 1, fixed = true), w(start = 0, fixed = true);
    Shape rod(shapeType = "cylinder", lengthDirection = {sin(phi), -cos(phi), 0}, length = L, width = 0.05, height = 0.05,
      color = {0, 120, 255});
    Shape bob(shapeType = "sphere", r = {L * sin(phi), -L * cos(phi), 0}, r_shape = {-0.1, 0, 0}, length = 0.2,
      width = 0.2, height = 0.2, color = {200, 0, 0});
    Shape spring(shapeType = "spring", r = {-1, 0, 0}, lengthDirection = {0, -1, 0}, length = 0.5 + 0.1 * sin(phi),
      width = 0.2, height = 0.04, extra = 6, color = {90, 90, 90});
    Shape wedge(shapeType = "file:///{here}/wedge.stl", r = {1, 0, 0}, color = {0, 160, 60});
    Shape box(
      R = Orientation(T = [cos(time), sin(time), 0; -sin(time), cos(time), 0; 0, 0, 1], w = {0, 0, 1}),
      r = {0, 0.5, 0}, length = 0.4, width = 0.2, height = 0.1, color = {250, 200, 0});
    Arrow push(r = {1, 1, 0}, coordinates = {0, 10 + 10 * time, 0});
    Arrow pull(r = {1, 1, 0}, coordinates = {0, 0, 15}, headAtOrigin = true, twoHeadedArrow = true,
      R = Orientation(T = [0, 0, -1; 0, 1, 0; 1, 0, 0], w = zeros(3)));
    Shape hull[2](each shapeType = "pipe", r = {{-0.5, 0.6, 0}, {-0.5, 0.8, 0}}, each length = 0.2, each width = 0.1,
      each height = 0.1, each extra = 0.8);
  equation
    der(phi) = w;
    der(w) = -9.81 / L * sin(phi);
    annotation (experiment(StopTime = 2));
  end Pendulum;
end Bodies;
