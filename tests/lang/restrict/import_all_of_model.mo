//! command check {file} --model T.M
package T
  model A
    constant Real c = 1;
  end A;
  model M
    import T.A.*; //! error F103
    Real x = c; //! error F100
  end M;
end T;
