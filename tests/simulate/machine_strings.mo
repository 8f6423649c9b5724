// Strings in states: kept, remembered by previous, set anew, merged as outer output, in arrays and records. State a is
// active at n = 0, 1, 4, 5, and starts anew at 4; b at n = 2, 3, 6.
//! command simulate {file} --output - --stop 6 --interval 0.5
//! near right(0.5) = 1 within 0
//! near right(1.5) = 1 within 0
//! near right(2.5) = 1 within 0
//! near right(3.5) = 1 within 0
//! near right(4.5) = 1 within 0
//! near right(5.5) = 1 within 0
//! near held(0.5) = 1 within 0
//! near held(3.5) = 1 within 0
//! near held(5.5) = 1 within 0
//! near anew(1.5) = 1 within 0
//! near anew(3.5) = 1 within 0
//! near anew(4.5) = 0 within 0
//! near anew(5.5) = 1 within 0
//! near first(0.5) = 1 within 0
//! near first(1.5) = 0 within 0
//! near name(1.5) = 1 within 0
//! near name(2.5) = 2 within 0
//! near name(4.5) = 1 within 0
//! near tag.n(2.5) = 2 within 0
model Strings
  record Tag
    String name(start = "none");
    Integer n(start = 0);
  end Tag;
  inner String s(start = "q");
  inner String list[2](start = {"u", "v"});
  inner Tag tag;
  block A
    outer output String s;
    outer output String list[2];
    outer output Tag tag;
    parameter String p = "P";
    String own(start = "o"), last(start = "z");
  equation
    s = previous(s) + "a";
    list = {previous(list[2]), "a"};
    own = previous(own) + p;
    last = if own == "oPP" then "two" else previous(last);
    tag = Tag("A", 1);
  end A;
  block B
    outer output String s;
    outer output String list[2];
    outer output Tag tag;
  algorithm
    s := previous(s) + "b";
  equation
    list[1] = previous(list[1]);
    list[2] = "b";
    tag = Tag("B", 2);
  end B;
  A a;
  B b;
  Integer n(start = -1);
  constant String expected[6] = {"qa", "qaa", "qaab", "qaabb", "qaabba", "qaabbaa"};
  Boolean right = s == expected[min(n, 5) + 1];
  Boolean held = list[2] == (if n < 2 or n > 3 then "a" else "b");
  Boolean anew = a.own == "oPP" and a.last == "two";
  Boolean first = list[1] == "v";
  Integer name = if tag.name == "A" then 1 elseif tag.name == "B" then 2 else 0;
equation
  when Clock(1, 1) then
    n = previous(n) + 1;
  end when;
  initialState(a);
  transition(a, b, mod(n, 4) == 2);
  transition(b, a, mod(n, 4) == 0);
end Strings;
