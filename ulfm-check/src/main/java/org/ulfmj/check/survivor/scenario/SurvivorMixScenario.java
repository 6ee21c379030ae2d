package org.ulfmj.check.survivor.scenario;

import org.ulfmj.check.survivor.SurvivorProgram;

/** Agreements, revocations, shrinks and Finalize, all functions of a survivor core, in one program. */
public final class SurvivorMixScenario extends SurvivorScenario {
    public SurvivorMixScenario() {
        super("mix", 3, SurvivorProgram.Emphasis.ALL);
    }
}
