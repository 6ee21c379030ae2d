package org.ulfmj.check.survivor.scenario;

import org.ulfmj.check.survivor.SurvivorProgram;

/** Shrinks in a row, each on the communicator that the one before made. */
public final class ShrinkScenario extends SurvivorScenario {
    public ShrinkScenario() {
        super("shrink", 1, SurvivorProgram.Emphasis.SHRINK);
    }
}
