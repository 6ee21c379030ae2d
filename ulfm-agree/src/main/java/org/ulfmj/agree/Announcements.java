package org.ulfmj.agree;

import java.util.SortedMap;
import java.util.TreeMap;
import org.ulfmj.agree.message.Contact;
import org.ulfmj.agree.message.Offer;
import org.ulfmj.detector.FailureSet;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.SlotSet;

/**
 * What the launcher has announced to this rank about replacements: which processes wait to be let in, and for which
 * slots no process will come any more. Other ranks may have heard more or less, so nothing is decided from these
 * announcements alone.
 */
final class Announcements {
    private final SortedMap<Integer, Contact> newest = new TreeMap<>();
    private final SortedMap<Integer, String> noMore = new TreeMap<>();

    /** Why processes are no longer started for any slot; null while the launcher starts processes. */
    private String noneAnyMore;

    void pending(Contact newcomer) {
        int slot = newcomer.process().slot();
        Contact known = newest.get(slot);
        newest.put(slot, known == null ? newcomer : Contact.newer(known, newcomer));
        // A launcher that announces a process starts processes for this slot. It says so anew when it stops.
        noMore.remove(slot);
    }

    void noMore(int slot, String why) {
        noMore.put(slot, why);
    }

    void noMore(String why) {
        noneAnyMore = why;
    }

    /** The process that waits for a slot of the world and is not marked failed; null if none is known. */
    private Contact waitingFor(int slot, Membership world, FailureSet failures) {
        Contact newcomer = newest.get(slot);
        return newcomer != null
                        && newcomer.process().incarnation() > world.incarnation(slot)
                        && !failures.hasFailed(newcomer.process())
                ? newcomer
                : null;
    }

    /** Whether, for each of these slots, either a waiting process is known, or that none will come. */
    boolean settle(SlotSet slots, Membership world, FailureSet failures) {
        if (noneAnyMore != null) {
            return true;
        }
        for (int i = 0; i < slots.size(); i++) {
            int slot = slots.slot(i);
            if (!noMore.containsKey(slot) && waitingFor(slot, world, failures) == null) {
                return false;
            }
        }
        return true;
    }

    /** The offer of this rank: all that was announced to it about the slots of a world. */
    Offer offer(Membership world, FailureSet failures, boolean waits, boolean strict) {
        SortedMap<Integer, Contact> newcomers = new TreeMap<>();
        for (int slot : newest.keySet()) {
            Contact newcomer = waitingFor(slot, world, failures);
            if (newcomer != null && world.slots().contains(slot)) {
                newcomers.put(slot, newcomer);
            }
        }
        SlotSet over = noneAnyMore == null ? SlotSet.EMPTY : SlotSet.ALL;
        for (int slot : noMore.keySet()) {
            over = over.with(slot);
        }
        return new Offer(newcomers, over, waits, strict);
    }

    /** Enters a world: announcements of its members are not needed any more, and are dropped. */
    void enter(Membership world) {
        for (int slot : world.slots().toArray()) {
            Contact newcomer = newest.get(slot);
            if (newcomer != null && newcomer.process().incarnation() <= world.incarnation(slot)) {
                newest.remove(slot);
            }
        }
    }

    /** Why no process fills a slot, as it was announced to this rank; null if nothing was announced. */
    String why(int slot) {
        String ofSlot = noMore.get(slot);
        return ofSlot != null ? ofSlot : noneAnyMore;
    }

    @Override
    public String toString() {
        return "announced " + newest.values() + (noMore.isEmpty() ? "" : " no more " + noMore.keySet())
                + (noneAnyMore == null ? "" : " none any more");
    }
}
