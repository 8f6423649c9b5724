model equation
end equation;
//! error P115 1:7
