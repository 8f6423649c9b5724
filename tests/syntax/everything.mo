// Every construct of the grammar at least once; the golden file is its formatted form.
//! command format {file}
//! golden everything.txt
within   A.B ;
final encapsulated package  Everything "A package" + " in two parts"
  import Modelica.Units.SI; import M=Modelica.Math;
  import Modelica.Constants.*;   import Modelica.Utilities.{Files,Streams} "some";
  constant Real numbers[:]={1.,1.e5,2e-3,0.5,10,1E+2};
  constant String text="tab\t quote\" backslash\\ end" ;
  type Color = enumeration(red "first",green, blue annotation(Evaluate=true)) "colours";
  type Any=enumeration(:);
  type Voltage = Real[3](each unit="V",final min=-5) "three";
  connector Pin  Real v; flow Real i; stream Real h; end Pin;
  expandable connector Bus end Bus;
  connector In = input Real;
  connector Out = output Real "out" annotation(Icon());
  operator record Complex
    Real re; Real im;
    encapsulated operator 'constructor'
      function fromReal input Real re; output Complex c; algorithm c.re := re; end fromReal;
    end 'constructor';
    operator function '+' input Complex a; input Complex b; output Complex c;
    algorithm
      c := Complex(a.re+b.re,a.im + b.im);
    end '+';
  end Complex;
  pure function f "function"
    input Real x[:,size(x,1)];input Integer n=end_+1; output Real y;
    protected Real a,b=3 "two",c[2]; parameter Integer end_=3;
  external "C" y=f_c(x,size(x,1),n) annotation(Include="#include <f.h>",Library={"a","b"});
  end f;
  impure function g output Real y; external; annotation(Inline=true); end g;
  function df = der(f,x,n);
  partial block Base
    replaceable package Medium = Modelica.Media.Air constrainedby Modelica.Media.Interfaces.Partial(p=1) "medium" annotation(choicesAllMatching=true);
    replaceable Pin p constrainedby Pin annotation(Dialog());
    replaceable function h=f;
    input Real u; output Real y;
  end Base;
  class Old end Old;
  model Main "main"
    extends Base(redeclare package Medium=Air,u(start=1,fixed=true),break x,break connect(a,b),p.v(min=0)) annotation(Evaluate=true);
    redeclare replaceable model extends Inner(k=2) "inner" Real z; end Inner;
    inner outer World world;
    parameter Integer n(min=1)=3 if true "count" annotation(Dialog(tab="a",group="b"));
    discrete Real d; final constant Real k=1; Real m[n,2]=[1,2;3,4;5,6],v[2]={i^2 for i in 1:2};
    Real t = break; .Modelica.Units.SI.Time q:=3;
    Pin pins[n](each v(start=0),redeclare each final Pin x,each final replaceable Pin yy);
    public
    protected
    Real w
      "after a line break"
      annotation (Placement(transformation(
        extent={{-10,-10},{10,10}},
        rotation=90)));
  initial equation
    w=0;
  initial algorithm
    d:=0;
  equation
    connect(pins[1],a.pins[n-1])annotation(Line(points={{0,0},{1,1}}));
    for i in 1:n,j loop pins[i].v=m[i,j]; end for;
    if n>1 then w=1; elseif n==2 and not n<>3 or false then w=2; else w=3; end if "choice";
    when {initial(),time>=1,sample(0,1)} then d=pre(d)+1; elsewhen edge(b) then reinit(w,-w^2); end when;
    (a,,b)=h2(w,x=3,f=function f(n=2),y=sum(i*j for i in 1:3,j in {1,2}));
    der(w) = -w*(1+2)/3 .* v ./ v .^ 2 .+ 1 .- 2 + (if w<0 then -1 else 1)
      + u // a comment in a sum
      - 1;
    x = m[:,end]*m[1:2:end,{1,2}]; y=(m*m)[1,2]; z=(c).re; assert(w>0,"w",AssertionLevel.warning);
    terminate("done");
    /* a block
       comment */
    zz = {{1,2},
          {3,4}}; // behind

    // before the algorithm
  algorithm
    while d<3 loop d:=d+1; if d>2 then break; end if; end while;
    (a,b):=h2(d); h2(d); return;
    for i loop x[i]:=i; end for;
    // last comment of the algorithm
  annotation(experiment(StopTime=1,Tolerance=1e-6),Documentation(info="<html>
  keeps   its lines
</html>"));
  end Main;
end Everything;
model Second end Second;
// the end
