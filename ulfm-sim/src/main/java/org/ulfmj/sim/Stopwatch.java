package org.ulfmj.sim;

/** Real time, shown to the reader only: nothing that is simulated, visited or measured depends on it. */
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
