// Variables of one unit share a panel; a jump is a vertical line; texts are escaped.
//! input {rubato} simulate {dir}/plot.mo --output p.mat --intervals 20 --quiet
//! command plot {tmp}/p.mat x y z --output {tmp}/p.svg --title "a < b"
//! check grep -q "<title>a &lt; b</title>" p.svg && test $(grep -c '<rect class="a"' p.svg) = 2
//! check grep -q 'L392.0 513.9L392.0 310.1L' p.svg
//! check python3 -c "import xml.dom.minidom as m; d = m.parse('p.svg'); c = [p for p in d.getElementsByTagName('path') if p.getAttribute('class') in ('c c0', 'c c1')]; assert len(c) == 6, len(c)"
