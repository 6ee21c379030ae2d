package org.ulfmj.check.replace.invariant;

import java.util.Map;
import org.ulfmj.agree.message.Decision;
import org.ulfmj.check.replace.ReplaceRank;
import org.ulfmj.check.replace.ReplaceWorld;
import org.ulfmj.sim.Invariant;
import org.ulfmj.sim.Violation;

/**
 * P10: each agreement outside replaces, on a world that a replace made or on any other communicator, decides alike at
 * all live processes that returned from it, newcomers and survivors.
 */
record TheNewWorldAgrees(ReplaceWorld world) implements Invariant {
    @Override
    public void atEnd() {
        for (ReplaceRank one : world.all()) {
            for (ReplaceRank other : world.all()) {
                if (one.id().compareTo(other.id()) < 0 && world.isLive(one) && world.isLive(other)) {
                    compare(one, other);
                }
            }
        }
    }

    private void compare(ReplaceRank one, ReplaceRank other) {
        for (Map.Entry<String, Decision> decided : one.decisions().entrySet()) {
            Decision theirs = other.decisions().get(decided.getKey());
            if (theirs != null && !theirs.equals(decided.getValue())) {
                throw new Violation(name() + ": on " + decided.getKey() + " " + one + " decided " + decided.getValue()
                        + ", " + other + " " + theirs);
            }
        }
    }
}
