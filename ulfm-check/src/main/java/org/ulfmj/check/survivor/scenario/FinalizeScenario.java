package org.ulfmj.check.survivor.scenario;

import java.util.Set;
import org.ulfmj.check.survivor.SurvivorProgram;
import org.ulfmj.check.survivor.invariant.DecisionsEqualTheOracles;

/** Finalize, with processes that leave at once, linger, or die while they leave. */
public final class FinalizeScenario extends SurvivorScenario {
    public FinalizeScenario() {
        super("finalize", 1, SurvivorProgram.Emphasis.FINALIZE);
    }

    @Override
    public Set<String> mustCover() {
        return more(super.mustCover(), DecisionsEqualTheOracles.REVOKED);
    }
}
