package org.ulfmj.rendezvous;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.StringJoiner;
import java.util.TreeMap;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.WireReader;
import org.ulfmj.protocol.WireWriter;
import org.ulfmj.rendezvous.rounds.WorldSize;
import org.ulfmj.transport.MemberRecord;

/**
 * All processes that ever joined, and the ones among them that hold the slots: the candidates while a static world is
 * gathered, later the members. A process that holds no slot, has not ended and was not refused waits. Pure, not
 * thread-safe.
 */
final class Roster {
    private final WorldSize elastic;
    private final SortedMap<Long, Seat> byNonce = new TreeMap<>();
    private final SortedMap<ProcessId, Seat> byProcess = new TreeMap<>();
    private final SortedMap<Integer, Seat> table = new TreeMap<>();

    /** @param elastic the size of a world whose processes join without a slot; null if the world is static */
    Roster(WorldSize elastic) {
        this.elastic = elastic;
    }

    /** How many processes ever joined. */
    int joined() {
        return byNonce.size();
    }

    void add(Seat seat) {
        byNonce.put(seat.nonce(), seat);
        byProcess.put(seat.id(), seat);
    }

    void writeImage(WireWriter out) {
        out.putInt(byNonce.size());
        for (Seat seat : byNonce.values()) {
            CoreImage.putFlag(out, holds(seat));
            seat.writeImage(out);
        }
    }

    void readImage(WireReader in) {
        int count = in.getInt();
        in.requireCount(count, 1, "processes");
        for (int i = 0; i < count; i++) {
            boolean isHolder = CoreImage.getFlag(in);
            Seat seat = Seat.readImage(in, elastic != null);
            add(seat);
            if (isHolder) {
                place(seat);
            }
        }
    }

    /** The seat of the process with this nonce; null if it never joined. */
    Seat of(long nonce) {
        return byNonce.get(nonce);
    }

    /** The seat of the process that has this name now; null if there is none. */
    Seat of(ProcessId process) {
        return byProcess.get(process);
    }

    /**
     * The seat of a process that a member lists in its world. Null if that process never joined, or joined with another
     * record. In an elastic world the process is found by its nonce, because the members give it its name.
     */
    Seat listed(MemberRecord member) {
        if (elastic == null) {
            Seat seat = byProcess.get(member.id());
            return seat != null && seat.member.equals(member) ? seat : null;
        }
        Seat seat = byNonce.get(member.nonce());
        return seat != null && seat.member.named(member.id()).equals(member) ? seat : null;
    }

    /** Gives a process another name. Another process that has this name so far gets back its provisional one. */
    void name(Seat seat, ProcessId name) {
        if (seat.id().equals(name)) {
            return;
        }
        Seat former = byProcess.get(name);
        if (former != null) {
            name(former, former.joiner.member().id());
        }
        byProcess.remove(seat.id());
        seat.member = seat.member.named(name);
        byProcess.put(name, seat);
    }

    /**
     * Whether an elastic world has as many members as it may have. A static world is never full: it has a place per
     * slot.
     */
    boolean isFull() {
        return elastic != null && table.size() >= elastic.max();
    }

    /** Every process that ever joined, in the order of slot and incarnation. */
    Collection<Seat> all() {
        return byProcess.values();
    }

    /** The seats that hold a slot, in the order of slots. */
    Collection<Seat> holders() {
        return table.values();
    }

    /** The seat that holds a slot; null if none does. */
    Seat holder(int slot) {
        return table.get(slot);
    }

    boolean holds(Seat seat) {
        return table.get(seat.id().slot()) == seat;
    }

    int size() {
        return table.size();
    }

    void place(Seat seat) {
        table.put(seat.id().slot(), seat);
    }

    void vacate(Seat seat) {
        table.remove(seat.id().slot(), seat);
    }

    void vacateAll() {
        table.clear();
    }

    /** The seats that hold no slot and may get one: their processes have not ended and were not refused. */
    List<Seat> waiting() {
        List<Seat> waiting = new ArrayList<>();
        for (Seat seat : byProcess.values()) {
            if (seat.isHere() && !holds(seat)) {
                waiting.add(seat);
            }
        }
        return waiting;
    }

    /** Whether the slot of this process has an earlier process that does not count as ended yet. */
    boolean hasOlder(Seat seat) {
        ProcessId first = ProcessId.of(seat.id().slot());
        for (Seat older : byProcess.subMap(first, seat.id()).values()) {
            if (!older.ended) {
                return true;
            }
        }
        return false;
    }

    /**
     * Names the slots without a process or, if {@code unconfirmedOnes}, those whose process has not confirmed:
     * {@code ranks 1, 3}. At most ten are listed.
     */
    String slotsWhere(int size, boolean unconfirmedOnes) {
        List<Integer> slots = new ArrayList<>();
        for (int slot = 0; slot < size; slot++) {
            Seat seat = holder(slot);
            if (unconfirmedOnes ? seat != null && !seat.confirmed : seat == null) {
                slots.add(slot);
            }
        }
        StringJoiner text =
                new StringJoiner(", ", slots.size() == 1 ? "rank " : "ranks ", slots.size() > 10 ? ", …" : "");
        for (Integer slot : slots.subList(0, Math.min(10, slots.size()))) {
            text.add(slot.toString());
        }
        return text.toString();
    }

    /** The records of the processes that hold the slots, in the order of slots. */
    List<MemberRecord> members() {
        return membersBut(null);
    }

    /** Returns the records of the processes that hold the slots, without that of one seat. */
    List<MemberRecord> membersBut(Seat left) {
        List<MemberRecord> members = new ArrayList<>(table.size());
        for (Seat seat : table.values()) {
            if (seat != left) {
                members.add(seat.member);
            }
        }
        return members;
    }
}
