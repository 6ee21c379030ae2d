package org.ulfmj.sim;

/** Measures real time, for figures that a command prints; the simulation does not use it. */
public final class Stopwatch {
    private final long startNs = System.nanoTime();

    private Stopwatch() {}

    public static Stopwatch start() {
        return new Stopwatch();
    }

    public double seconds() {
        return (System.nanoTime() - startNs) / 1e9;
    }
}
