// Many points: the picture keeps the one peak and stays small.
//! command plot {tmp}/r.csv y --output {tmp}/p.svg
//! input python3 -c "print('time,y'); [print('%d,%d' % (i, 7 if i == 24691 else 0)) for i in range(200000)]" > r.csv
//! check test $(wc -c < p.svg) -lt 100000 && test $(grep -o 'L155.[0-9] [0-9.]*' p.svg | sort -u | wc -l) -ge 2
