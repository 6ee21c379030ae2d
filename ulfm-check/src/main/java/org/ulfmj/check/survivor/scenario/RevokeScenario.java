package org.ulfmj.check.survivor.scenario;

import java.util.Set;
import org.ulfmj.check.survivor.SurvivorEvents;
import org.ulfmj.check.survivor.SurvivorProgram;
import org.ulfmj.check.survivor.invariant.DecisionsEqualTheOracles;

/** Revocations by several ranks, between shrinks and before a slow rank has its communicator. */
public final class RevokeScenario extends SurvivorScenario {
    public RevokeScenario() {
        super("revoke", 1, SurvivorProgram.Emphasis.REVOKE);
    }

    @Override
    public Set<String> mustCover() {
        return more(super.mustCover(), SurvivorEvents.EARLY_REVOCATION, DecisionsEqualTheOracles.REVOKED);
    }
}
