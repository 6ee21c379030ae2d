package org.ulfmj.rendezvous;

import java.util.Arrays;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.WireReader;
import org.ulfmj.protocol.WireWriter;

/**
 * Per slot: which incarnation the launcher has announced last, how the last process that has ended did so, and why no
 * other will come. Rule V11: an incarnation is announced before its process is started. Pure, not thread-safe.
 */
final class Incarnations {
    private static final int NONE = -1;

    private final int[] given;
    private final int[] ended;

    /** Per slot, how the highest incarnation among those that have ended did so; null if none has ended. */
    private final String[] howEnded;

    /** Per slot, why no process comes any more; null if the launcher has not said so, or has announced one since. */
    private final String[] noMore;

    private final boolean restarts;

    /**
     * At first, incarnation 0 of every slot counts as announced.
     *
     * @param size number of slots; 0 for an elastic world, where the launcher starts no process for a slot
     */
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

    void writeImage(WireWriter out) {
        for (int slot = 0; slot < given.length; slot++) {
            out.putInt(given[slot]).putInt(ended[slot]);
            CoreImage.putMaybe(out, howEnded[slot]);
            CoreImage.putMaybe(out, noMore[slot]);
        }
    }

    void readImage(WireReader in) {
        for (int slot = 0; slot < given.length; slot++) {
            given[slot] = in.getInt();
            ended[slot] = in.getInt();
            howEnded[slot] = CoreImage.getMaybe(in);
            noMore[slot] = CoreImage.getMaybe(in);
        }
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
        if (slot < ended.length && process.incarnation() > ended[slot]) {
            ended[slot] = process.incarnation();
            howEnded[slot] = how;
        }
    }

    /** Notes that no process will come for a slot. Returns whether that was not known before. */
    boolean giveUp(int slot, String why) {
        boolean isNew = noMore[slot] == null;
        noMore[slot] = why;
        return isNew;
    }

    /**
     * Why no process will come for this slot any more; null if the launcher has not said so, or has announced one
     * since.
     */
    String noMore(int slot) {
        return noMore[slot];
    }

    /**
     * Why this process cannot join; null if it is the one that the launcher has announced last for its slot, and is not
     * known to have ended.
     */
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

    /**
     * The reason for which the lowest hopeless slot stays empty: its process has ended, no process holds the slot, and
     * none will come. Null if there is no such slot.
     */
    String hopeless(Roster roster) {
        for (int slot = 0; slot < given.length; slot++) {
            if (ended[slot] >= given[slot] && roster.holder(slot) == null && (!restarts || noMore[slot] != null)) {
                return restarts ? howEnded[slot] + ", and it is not started again: " + noMore[slot] : howEnded[slot];
            }
        }
        return null;
    }
}
