package org.ulfmj.check.uniform;

import org.ulfmj.agree.message.ControlMessage.Detector;
import org.ulfmj.agree.message.ControlMessage.Down;
import org.ulfmj.agree.message.ControlMessage.NextRound;
import org.ulfmj.agree.message.ControlMessage.Up;
import org.ulfmj.agree.message.Kind;
import org.ulfmj.check.script.ScriptedWorld;
import org.ulfmj.sim.Violation;

/**
 * A schedule that shows why uniform agreement needs rule R9: without it two healthy ranks differ in the first agreement
 * of a call. They are then in two trees in the second agreement, in which a rank waits for ever.
 */
public final class FirstHalvesDiffer {
    private FirstHalvesDiffer() {}

    /** Runs the schedule on the shipped classes. Returns what went wrong; empty if nothing did. */
    public static String withR9() {
        return judged(untilRankOneHasAll().deliver(NextRound.class, 1, 2));
    }

    /**
     * Runs the schedule on classes without R9. Returns what went wrong; empty if nothing did. Called by reflection on
     * the classes of a mutant.
     */
    public static String withoutR9() {
        return judged(untilRankOneHasAll()
                .deliver(Down.class, 1, 2)
                .crash(1)
                .loseAllOf(1)
                .learns(0, 1)
                .learns(3, 1)
                .deliver(Up.class, 3, 0)
                .deliver(Down.class, 0, 3));
    }

    /**
     * Rank 1 suspects rank 0 falsely. Rank 1 then has the value of rank 3, and that of rank 2, which had given it to
     * rank 0 before.
     */
    private static ScriptedWorld untilRankOneHasAll() {
        return new ScriptedWorld(4)
                .enter(Kind.AGREE_UNIFORM, 0, 1, 2, 3)
                .deliver(Up.class, 2, 0)
                .suspects(1, 0)
                .deliver(Up.class, 3, 1)
                .deliver(Detector.class, 1, 2)
                .deliver(Up.class, 2, 1);
    }

    private static String judged(ScriptedWorld world) {
        try {
            world.settle();
            return "";
        } catch (Violation violation) {
            return violation.getMessage();
        }
    }
}
