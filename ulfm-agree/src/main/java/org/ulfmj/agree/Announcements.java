package org.ulfmj.agree;

import java.util.SortedMap;
import java.util.TreeMap;
import org.ulfmj.agree.message.Contact;
import org.ulfmj.agree.message.Offer;
import org.ulfmj.detector.FailureSet;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.SlotSet;

/**
 * What the launcher has announced here about replacements: who waits to be let in, and where no process will come any
 * more. Others may have heard more or less: so nothing is decided from this alone.
 */
final class Announcements {
    private final SortedMap<Integer, Contact> newest = new TreeMap<>();
    private final SortedMap<Integer, String> noMore = new TreeMap<>();

    /** Why no process starts processes at all; null while a process does. */
    private String nobody;

    void pending(Contact newcomer) {
        int slot = newcomer.process().slot();
        Contact known = newest.get(slot);
        newest.put(slot, known == null ? newcomer : Contact.newer(known, newcomer));
        // Any process that announces one starts processes, and says so anew where it stops to.
        noMore.remove(slot);
    }

    void noMore(int slot, String why) {
        noMore.put(slot, why);
    }

    void noMore(String why) {
        nobody = why;
    }

    /** The process that waits for a slot of the world and may live; null if none is known. */
    private Contact waitingFor(int slot, Membership world, FailureSet failures) {
        Contact newcomer = newest.get(slot);
        return newcomer != null
                        && newcomer.process().incarnation() > world.incarnation(slot)
                        && !failures.hasFailed(newcomer.process())
                ? newcomer
                : null;
    }

    /** Whether it is known of each of these slots who fills it, or that no process will. */
    boolean settle(SlotSet slots, Membership world, FailureSet failures) {
        if (nobody != null) {
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

    /** All that is known here, for the slots of a world. */
    Offer offer(Membership world, FailureSet failures, boolean waits, boolean strict) {
        SortedMap<Integer, Contact> newcomers = new TreeMap<>();
        for (int slot : newest.keySet()) {
            Contact newcomer = waitingFor(slot, world, failures);
            if (newcomer != null && world.slots().contains(slot)) {
                newcomers.put(slot, newcomer);
            }
        }
        SlotSet over = nobody == null ? SlotSet.EMPTY : SlotSet.ALL;
        for (int slot : noMore.keySet()) {
            over = over.with(slot);
        }
        return new Offer(newcomers, over, waits, strict);
    }

    /** A world is in force whose members need no announcement any more. */
    void enter(Membership world) {
        for (int slot : world.slots().toArray()) {
            Contact newcomer = newest.get(slot);
            if (newcomer != null && newcomer.process().incarnation() <= world.incarnation(slot)) {
                newest.remove(slot);
            }
        }
    }

    /** Why no process fills a slot, as far as it was announced here; null if nothing was. */
    String why(int slot) {
        String ofSlot = noMore.get(slot);
        return ofSlot != null ? ofSlot : nobody;
    }

    @Override
    public String toString() {
        return "announced " + newest.values() + (noMore.isEmpty() ? "" : " no more " + noMore.keySet())
                + (nobody == null ? "" : " nobody any more");
    }
}
