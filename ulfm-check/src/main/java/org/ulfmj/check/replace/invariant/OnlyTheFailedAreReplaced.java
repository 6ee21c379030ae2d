package org.ulfmj.check.replace.invariant;

import org.ulfmj.agree.message.Contact;
import org.ulfmj.check.replace.ReplaceRank;
import org.ulfmj.check.replace.ReplaceWorld;
import org.ulfmj.check.replace.WorldLog;
import org.ulfmj.protocol.ProcessId;

/**
 * A world has the process of the slot that the last one had, or a later one; who was replaced is marked failed by any
 * process that comes into the world (P5, P6), and has ended unless it was suspected wrongly.
 */
final class OnlyTheFailedAreReplaced extends EntryCheck {
    private final ReplaceWorld world;

    OnlyTheFailedAreReplaced(ReplaceWorld world) {
        super(world.worlds());
        this.world = world;
    }

    @Override
    String wrongWith(WorldLog.Entry entry) {
        for (Contact member : entry.admission().members().values()) {
            for (int older = 0; older < member.process().incarnation(); older++) {
                ProcessId replaced = new ProcessId(member.process().slot(), older);
                ReplaceRank former = world.of(replaced);
                if (former.isRunning() && !world.worlds().wasAnybodySuspectedWrongly()) {
                    return former + " runs, and is replaced by " + member.process();
                }
            }
            if (member.process().incarnation() > 0 && !holdsThePredecessorOf(entry, member.process())) {
                return "it does not hold for failed whom " + member.process() + " replaced";
            }
        }
        return null;
    }

    /** Those between may have ended before any world had them. */
    private static boolean holdsThePredecessorOf(WorldLog.Entry entry, ProcessId newcomer) {
        for (int older = 0; older < newcomer.incarnation(); older++) {
            if (entry.rank().failures().hasFailed(new ProcessId(newcomer.slot(), older))) {
                return true;
            }
        }
        return false;
    }
}
