// SPDX-License-Identifier: Apache-2.0
within Rubato;
package Animation "Bodies that the HTML report draws in space"
  // The report draws every component with the members of Shape, whatever its class is; those of
  // ModelicaServices.Animation.Shape are the same, so models can move from one to the other.

  record Orientation "How a frame is turned"
    Real T[3, 3] "Turns vectors of the world into the frame";
    Real w[3](each unit = "rad/s") "Angular velocity, resolved in the frame";
  end Orientation;

  model Shape "A body; every value may change over time"
    parameter String shapeType = "box"
      "box, sphere, cylinder, cone, pipe, beam, gearwheel, spring, or the URI of an .stl, .dxf or .obj file";
    input Orientation R = Orientation(T = identity(3), w = zeros(3)) "Orientation of its frame";
    input Real r[3](each unit = "m") = zeros(3) "Origin of its frame, in the world";
    input Real r_shape[3](each unit = "m") = zeros(3) "From there to the origin of the shape, in the frame";
    input Real lengthDirection[3] = {1, 0, 0} "In the frame";
    input Real widthDirection[3] = {0, 1, 0} "In the frame";
    input Real length(unit = "m") = 1;
    input Real width(unit = "m") = 0.1;
    input Real height(unit = "m") = 0.1;
    input Real extra = 0 "Windings of a spring, teeth of a gear wheel, ratio of diameters of a cone or pipe";
    input Real color[3] = {200, 60, 40} "Red, green and blue, 0 to 255";
    input Real specularCoefficient = 0.7 "How much it shines";
  end Shape;

  model Planar "A body that moves in the x-y plane and turns around z"
    extends Shape(
      final R = Orientation(T = [cos(phi), sin(phi), 0; -sin(phi), cos(phi), 0; 0, 0, 1], w = zeros(3)),
      final r = {x, y, z});
    input Real x(unit = "m") = 0;
    input Real y(unit = "m") = 0;
    input Real z(unit = "m") = 0;
    input Real phi(unit = "rad") = 0 "Angle from the x axis, counter-clockwise";
  end Planar;
end Animation;
