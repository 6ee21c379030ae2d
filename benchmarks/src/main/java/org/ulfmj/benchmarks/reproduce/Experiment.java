package org.ulfmj.benchmarks.reproduce;

/**
 * Published results, measured or computed again. Registered by a line in class {@code command.Experiments}.
 *
 * <p>An experiment runs on one thread, and other experiments may run at the same time. It reads no clock, and draws
 * chance from the setting's seed only: the same setting gives the same rows.
 */
public interface Experiment {
    /** The name by which {@code --only} selects it: lower case, words joined by hyphens. */
    String name();

    /** The measurement in a few words. */
    String title();

    /** Runs the experiment, and adds its rows, charts and notes to {@code findings}. */
    void run(Setting setting, Findings findings);
}
