package org.ulfmj.sim.reproduce;

/** How long the reproduction itself takes: shown, and in no result. */
final class Stopwatch {
    private final long startNs = System.nanoTime();

    private Stopwatch() {}

    static Stopwatch start() {
        return new Stopwatch();
    }

    double seconds() {
        return (System.nanoTime() - startNs) / 1e9;
    }
}
