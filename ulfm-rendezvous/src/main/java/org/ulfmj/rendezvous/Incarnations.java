package org.ulfmj.rendezvous;

import java.util.Arrays;
import org.ulfmj.protocol.ProcessId;

/**
 * Which process of each slot the launcher has started last, what became of it, and whether another will come. Rule V11:
 * incarnations are the launcher's to give, before it starts their process. Pure, not thread-safe.
 */
final class Incarnations {
    private static final int NONE = -1;

    private final int[] given;
    private final int[] ended;

    /** How the process that ended last did so; null if none has. */
    private final String[] howEnded;

    /** Why no process comes any more; null if a process may. */
    private final String[] noMore;

    private final boolean restarts;

    /** The first process of every slot is given. */
    Incarnations(int size, boolean restarts) {
        this.given = new int[size];
        this.ended = new int[size];
        this.howEnded = new String[size];
        this.noMore = new String[size];
        this.restarts = restarts;
        Arrays.fill(ended, NONE);
    }

    int size() {
        return given.length;
    }

    void give(ProcessId next) {
        int slot = next.slot();
        if (next.incarnation() > given[slot]) {
            given[slot] = next.incarnation();
            noMore[slot] = null;
        }
    }

    void end(ProcessId process, String how) {
        int slot = process.slot();
        if (process.incarnation() > ended[slot]) {
            ended[slot] = process.incarnation();
            howEnded[slot] = how;
        }
    }

    /** True the first time. */
    boolean giveUp(int slot, String why) {
        boolean isNew = noMore[slot] == null;
        noMore[slot] = why;
        return isNew;
    }

    /** Why no process will come; null if a process may. */
    String noMore(int slot) {
        return noMore[slot];
    }

    /** Why this process cannot join; null if it can, as far as the launcher is concerned. */
    String refusal(ProcessId process, long pid) {
        int slot = process.slot();
        String who = "process " + pid + " cannot join as " + process + ": ";
        if (process.incarnation() < given[slot]) {
            return who + new ProcessId(slot, given[slot]) + " has been started in its place";
        }
        if (process.incarnation() > given[slot]) {
            return who + (restarts ? "mpiexec has not started it" : "no process is replaced in this world");
        }
        return process.incarnation() <= ended[slot] ? who + "what was started as it has ended" : null;
    }

    /** Why a slot that no process holds will stay empty, of the lowest such slot; null if each may still be taken. */
    String hopeless(Roster roster) {
        for (int slot = 0; slot < given.length; slot++) {
            if (ended[slot] >= given[slot] && roster.holder(slot) == null && (!restarts || noMore[slot] != null)) {
                return restarts ? howEnded[slot] + ", and it is not started again: " + noMore[slot] : howEnded[slot];
            }
        }
        return null;
    }
}
