package org.ulfmj.sim.exhaustive;

/** Real time, for the reader only: nothing that is explored depends on it. */
final class Stopwatch {
    private final long startNs = System.nanoTime();

    double seconds() {
        return (System.nanoTime() - startNs) / 1e9;
    }
}
