package org.ulfmj.check.survivor;

import java.util.Set;

/** Finalize, with processes that leave at once, linger, or die while they leave. */
public final class FinalizeScenario extends SurvivorScenario {
    public FinalizeScenario() {
        super(SurvivorProgram.Emphasis.FINALIZE);
    }

    @Override
    public String name() {
        return "finalize";
    }

    @Override
    public Set<String> mustCover() {
        return more(super.mustCover(), DecisionsEqualTheOracles.REVOKED);
    }
}
