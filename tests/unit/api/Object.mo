model Object "An object of external code"
  class Line
    extends ExternalObject;
    function constructor
      input Real slope;
      output Line line;
      external "C" line = line_new(slope) annotation(Include = "
        #include <stdlib.h>
        static void *line_new(double slope) {
          double *line = malloc(sizeof *line);
          *line = slope;
          return line;
        }
        static void line_free(void *line) { free(line); }
        static double line_at(void *line, double x) { return *(double *)line * x; }");
    end constructor;
    function destructor
      input Line line;
      external "C" line_free(line) annotation(Include = "
        #include <stdlib.h>
        static void *line_new(double slope) {
          double *line = malloc(sizeof *line);
          *line = slope;
          return line;
        }
        static void line_free(void *line) { free(line); }
        static double line_at(void *line, double x) { return *(double *)line * x; }");
    end destructor;
  end Line;
  function at
    input Line line;
    input Real x;
    output Real y;
    external "C" y = line_at(line, x) annotation(Include = "
        #include <stdlib.h>
        static void *line_new(double slope) {
          double *line = malloc(sizeof *line);
          *line = slope;
          return line;
        }
        static void line_free(void *line) { free(line); }
        static double line_at(void *line, double x) { return *(double *)line * x; }");
  end at;
  parameter Real e = 2;
  Line line = Line(e);
  Real x(start = 1, fixed = true);
equation
  der(x) = -at(line, x);
  annotation(experiment(StopTime = 3, Tolerance = 1e-7));
end Object;
