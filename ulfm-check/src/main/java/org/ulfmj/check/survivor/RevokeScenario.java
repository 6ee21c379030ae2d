package org.ulfmj.check.survivor;

import java.util.Set;

/** Revocations by several ranks, between shrinks and before a slow rank has its communicator. */
public final class RevokeScenario extends SurvivorScenario {
    public RevokeScenario() {
        super(SurvivorProgram.Emphasis.REVOKE);
    }

    @Override
    public String name() {
        return "revoke";
    }

    @Override
    public Set<String> mustCover() {
        return more(super.mustCover(), AnEarlyRevokeIsNotLost.EVENT, DecisionsEqualTheOracles.REVOKED);
    }
}
