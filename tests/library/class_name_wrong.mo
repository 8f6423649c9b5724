//! command parse Demo.Sub.Misnamed --library {dir}/input/libs
//! error S106 1:1
//! message must define the class 'Misnamed'
