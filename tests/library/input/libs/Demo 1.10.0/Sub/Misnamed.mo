within Demo.Sub;
model Another
end Another;
