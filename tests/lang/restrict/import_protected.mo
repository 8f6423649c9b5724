//! command check {file} --model T.M
package T
  package P
  protected
    constant Real c = 1;
  end P;
  model M
    import T.P.c; //! error F135
    Real x = c;
  end M;
end T;
