package org.ulfmj.sim.survivor;

/** Finalize, with processes that leave at once, linger, or die while they leave. */
public final class FinalizeScenario extends SurvivorScenario {
    public FinalizeScenario() {
        super(Program.Emphasis.FINALIZE);
    }

    @Override
    public String name() {
        return "finalize";
    }
}
