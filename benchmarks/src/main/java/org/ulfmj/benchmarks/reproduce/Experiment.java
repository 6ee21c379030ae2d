package org.ulfmj.benchmarks.reproduce;

/**
 * One published result, measured again. Registered by a line in {@link Experiments}.
 *
 * <p>Runs on one thread at a time, reads no clock, and draws chance from the setting's seed only: the same setting
 * gives the same rows.
 */
public interface Experiment {
    /** The name by which {@code --only} selects it: lower case, words joined by hyphens. */
    String name();

    /** The measurement in a few words. */
    String title();

    /** Measures, and leaves rows and charts in {@code findings}. */
    void run(Setting setting, Findings findings);
}
