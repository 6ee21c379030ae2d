package org.ulfmj.check.replace.invariant;

import org.ulfmj.agree.message.Contact;
import org.ulfmj.check.replace.ReplaceRank;
import org.ulfmj.check.replace.ReplaceWorld;
import org.ulfmj.check.replace.WorldLog;
import org.ulfmj.protocol.ProcessId;

/**
 * If a world has a replacement in a slot, all earlier processes of the slot have ended, unless a process was suspected
 * wrongly, and each process that enters the world has marked at least one of them failed (P5, P6).
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
                if (former.isRunning() && !world.worlds().wasAnySuspectedWrongly()) {
                    return former + " runs, and is replaced by " + member.process();
                }
            }
            if (member.process().incarnation() > 0 && !holdsThePredecessorOf(entry, member.process())) {
                return "it does not hold for failed whom " + member.process() + " replaced";
            }
        }
        return null;
    }

    /**
     * Whether the process that entered has marked an earlier incarnation of the newcomer's slot failed. One is enough:
     * other incarnations may have ended before any world had them.
     */
    private static boolean holdsThePredecessorOf(WorldLog.Entry entry, ProcessId newcomer) {
        for (int older = 0; older < newcomer.incarnation(); older++) {
            if (entry.rank().failures().hasFailed(new ProcessId(newcomer.slot(), older))) {
                return true;
            }
        }
        return false;
    }
}
