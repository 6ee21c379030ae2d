package org.ulfmj.check.survivor.scenario;

import org.ulfmj.check.survivor.SurvivorProgram;

/**
 * A program of up to three calls, mostly shrinks, each on the communicator that the last shrink before it made, or on
 * COMM_WORLD.
 */
public final class ShrinkScenario extends SurvivorScenario {
    public ShrinkScenario() {
        super("shrink", 1, SurvivorProgram.Emphasis.SHRINK);
    }
}
