package org.ulfmj.agree.change;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.ulfmj.agree.message.Admission;
import org.ulfmj.agree.message.Contact;
import org.ulfmj.agree.message.Joiner;
import org.ulfmj.agree.message.Joins;
import org.ulfmj.agree.message.Offer;
import org.ulfmj.detector.FailureSet;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotSet;

/**
 * What the launcher has announced to this rank about replacements and joiners: which processes wait to be let in, for
 * which slots no process will come any more, and which processes have ended; also which names processes have denied.
 * Other ranks may have heard more or less, so nothing is decided from these announcements alone.
 */
public final class Announcements {
    private final SortedMap<Integer, Contact> newest = new TreeMap<>();
    private final SortedMap<Integer, String> noMore = new TreeMap<>();
    /** The processes without a slot that wait, by nonce. */
    private final SortedMap<Long, Joiner> joiners = new TreeMap<>();
    /**
     * The ends that were told by nonce, of processes that are in no world known here: a later world may have them, and
     * an announcement may come after the news of the end.
     */
    private final SortedMap<Long, End> ends = new TreeMap<>();

    /**
     * Names that processes have denied: each with the nonces of the processes that are not the one of this name. Kept
     * while no world known here has the name, because a later one may have it. A name is given again only by a world
     * that has not heard of the decision that gave it first.
     */
    private final SortedMap<ProcessId, SortedSet<Long>> notThem = new TreeMap<>();

    /** Why no process is started for any slot any more; null while processes may be started. */
    private String noneAnyMore;

    /** Notes that a process waits to be let in by grow(). Of two announcements of one process the later counts. */
    public void waiting(Joiner joiner) {
        if (!ends.containsKey(joiner.nonce())) {
            joiners.put(joiner.nonce(), joiner);
        }
    }

    /** Notes that a process does not wait to be let in by grow() any more: it has ended, or has given up. */
    public void noLongerWaiting(long nonce) {
        joiners.remove(nonce);
    }

    /** Notes the end of a process that is in no world known here. */
    public void ended(long nonce, End end) {
        joiners.remove(nonce);
        ends.put(nonce, end);
    }

    /** Returns and forgets the end of the process with this nonce; null if none was told. */
    public End takeEnd(long nonce) {
        return ends.remove(nonce);
    }

    /** The process with this nonce, if it is the newest that was announced for its slot; null if there is none. */
    public Contact pendingWith(long nonce) {
        for (Contact newcomer : newest.values()) {
            if (newcomer.nonce() == nonce) {
                return newcomer;
            }
        }
        return null;
    }

    /** Notes that the process with this nonce is not the one of this name. */
    public void notMe(ProcessId name, long nonce) {
        SortedSet<Long> nonces = notThem.get(name);
        if (nonces == null) {
            nonces = new TreeSet<>();
            notThem.put(name, nonces);
        }
        nonces.add(nonce);
    }

    /**
     * Returns the members of a world that have denied their names ({@link #notMe}). Forgets all names that no later
     * world can give, because their slots are given.
     */
    public List<Contact> takeNotThem(Admission world) {
        List<Contact> found = new ArrayList<>(0);
        for (Contact member : world.members().values()) {
            SortedSet<Long> nonces = notThem.get(member.process());
            if (nonces != null && nonces.contains(member.nonce())) {
                found.add(member);
            }
        }
        notThem.keySet().removeIf(name -> name.slot() < world.ancestry().next());
        return found;
    }

    /**
     * Whether anything is kept for a later world: ends of processes that are in no world known here, or denied names.
     */
    public boolean knowsEnds() {
        return !ends.isEmpty() || !notThem.isEmpty();
    }

    /** How many processes wait to be let in by grow(). */
    public int waiting() {
        return joiners.size();
    }

    /**
     * The joiners that this rank offers: the first ones in their order, at most as many as a world may have members.
     * One call can never let in more.
     *
     * @param isRevoked whether the world is revoked here
     */
    Joins joiners(int most, boolean isRevoked) {
        SortedSet<Joiner> first = new TreeSet<>(joiners.values());
        return Joins.of(first.stream().limit(most).toList(), most, isRevoked);
    }

    public void pending(Contact newcomer) {
        int slot = newcomer.process().slot();
        Contact known = newest.get(slot);
        newest.put(slot, known == null ? newcomer : Contact.newer(known, newcomer));
        // A launcher that announces a process starts processes for this slot. If it stops later, it announces that
        // again.
        noMore.remove(slot);
    }

    public void noMore(int slot, String why) {
        noMore.put(slot, why);
    }

    public void noMore(String why) {
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

    /** Whether for each of these slots either a waiting process is known, or it is known that none will come. */
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

    /**
     * Enters a world: drops the announcements of its members as waiting processes, those of older processes for their
     * slots, and what was told of processes that grow() had let in and that are members no more.
     */
    public void enter(Membership world, Admission admission) {
        joiners.keySet().removeAll(admission.ancestry().past());
        ends.keySet().removeAll(admission.ancestry().past());
        for (Contact member : admission.members().values()) {
            joiners.remove(member.nonce());
        }
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
        return "announced " + newest.values() + (joiners.isEmpty() ? "" : " " + joiners.values())
                + (ends.isEmpty() ? "" : " " + ends.size() + " ended")
                + (noMore.isEmpty() ? "" : " no more " + noMore.keySet())
                + (noneAnyMore == null ? "" : " none any more");
    }
}
