package org.ulfmj.check.uniform;

import org.ulfmj.agree.message.ControlMessage.Detector;
import org.ulfmj.agree.message.ControlMessage.Down;
import org.ulfmj.agree.message.ControlMessage.NextRound;
import org.ulfmj.agree.message.ControlMessage.Up;
import org.ulfmj.agree.message.Kind;
import org.ulfmj.check.script.ScriptedWorld;
import org.ulfmj.sim.Violation;

/**
 * Why uniform agreement needs R9: without it two healthy ranks differ in the first half, and are then in two trees in
 * the second, which each of them waits for in vain.
 */
public final class FirstHalvesDiffer {
    private FirstHalvesDiffer() {}

    /** Runs the schedule on the shipped classes. Returns what went wrong; empty if nothing did. */
    public static String withR9() {
        return judged(untilRankOneHasAll().deliver(NextRound.class, 1, 2));
    }

    /**
     * Runs the schedule on classes without R9. Returns what went wrong; empty if nothing did. For calls into a mutant's
     * world.
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

    /** 0 is suspected falsely by 1, which then has the values of 2, given to 0 before, and of 3. */
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
