// A saved state goes on with external objects, also those that are made when the model starts.
//! command simulate Ext.ObjectLate --library {dir}/input/Ext --output - --variables ^x$
//! environment XDG_CACHE_HOME={tmp}
//! near x(2) = 8 within 1e-6
//! message the line 3 x + 1 ends
//! check {rubato} simulate Ext.ObjectLate --library {dir}/input/Ext --stop 1 --save-state s --quiet 2>&1; {rubato} simulate Ext.ObjectLate --library {dir}/input/Ext --from-state s --variables ^x$ --output - --quiet 2>words | tail -1 | python3 -c "import sys; t, x = map(float, sys.stdin.read().split(',')); assert t == 2 and abs(x - 8) < 1e-6, (t, x)"; test $? = 0 && grep -q "the line 3 x + 1 ends" words
//! check {rubato} simulate Ext.Steps --library {dir}/input/Ext --stop 2.5 --save-state s --quiet 2>&1; {rubato} simulate Ext.Steps --library {dir}/input/Ext --from-state s --variables ^x$ --output - --quiet 2>words | tail -1 | python3 -c "import sys; t, x = map(float, sys.stdin.read().split(',')); assert t == 4 and abs(x - 6) < 1e-6, (t, x)"
