static double ext_square(double x) {
    return x * x;
}
