package org.ulfmj.check.survivor.scenario;

import org.ulfmj.check.survivor.SurvivorProgram;

/** Programs drawn from agreements, revocations and shrinks, in most schedules with Finalize at the end. */
public final class SurvivorMixScenario extends SurvivorScenario {
    public SurvivorMixScenario() {
        super("mix", 3, SurvivorProgram.Emphasis.ALL);
    }
}
