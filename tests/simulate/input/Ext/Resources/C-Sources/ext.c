double ext_twice(double x) {
    return 2 * x;
}
