package org.ulfmj.rendezvous;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.ulfmj.protocol.Outbox;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.WireReader;
import org.ulfmj.protocol.WireWriter;
import org.ulfmj.rendezvous.message.RendezvousMessage;

/**
 * Spares, which are processes without a slot, by the number that the launcher gave each. A spare gets a place when the
 * launcher says so, and then joins as any process does. Pure, not thread-safe.
 */
final class Spares {
    private static final class Spare {
        /** The nonce of the spare's process; null until it has connected. */
        Long nonce;

        /** The place that the spare is to take; null until the launcher gives it one. */
        ProcessId place;
    }

    private final SortedMap<Integer, Spare> byNumber = new TreeMap<>();

    private Spare of(int number) {
        Spare spare = byNumber.get(number);
        if (spare == null) {
            spare = new Spare();
            byNumber.put(number, spare);
        }
        return spare;
    }

    void writeImage(WireWriter out) {
        out.putInt(byNumber.size());
        for (SortedMap.Entry<Integer, Spare> entry : byNumber.entrySet()) {
            Spare spare = entry.getValue();
            out.putInt(entry.getKey());
            CoreImage.putFlag(out, spare.nonce != null);
            out.putLong(spare.nonce == null ? 0 : spare.nonce);
            CoreImage.putFlag(out, spare.place != null);
            out.putProcess(spare.place == null ? ProcessId.of(0) : spare.place);
        }
    }

    void readImage(WireReader in) {
        int count = in.getInt();
        in.requireCount(count, Integer.BYTES, "spares");
        for (int i = 0; i < count; i++) {
            Spare spare = of(in.getInt());
            boolean hasCalled = CoreImage.getFlag(in);
            long nonce = in.getLong();
            spare.nonce = hasCalled ? Long.valueOf(nonce) : null;
            boolean hasPlace = CoreImage.getFlag(in);
            ProcessId place = in.getProcess();
            spare.place = hasPlace ? place : null;
        }
    }

    /** The numbers of the spares that have connected and have no place yet. */
    List<Integer> ready() {
        List<Integer> ready = new ArrayList<>();
        for (SortedMap.Entry<Integer, Spare> entry : byNumber.entrySet()) {
            if (entry.getValue().nonce != null && entry.getValue().place == null) {
                ready.add(entry.getKey());
            }
        }
        return ready;
    }

    /** Lets the judge watch the spares again, after a change of the coordinator. */
    void settle(Silences silences) {
        for (SortedMap.Entry<Integer, Spare> entry : byNumber.entrySet()) {
            Spare spare = entry.getValue();
            if (spare.place != null) {
                silences.comes(spare.place);
            } else if (spare.nonce != null) {
                silences.spareWaits(entry.getKey());
            }
        }
    }

    /** Whether another process has connected under this spare number. */
    boolean isTaken(int number, long nonce) {
        Spare spare = byNumber.get(number);
        return spare != null && spare.nonce != null && spare.nonce != nonce;
    }

    /** Notes that a spare has connected. Returns true the first time. */
    boolean arrive(int number, long nonce) {
        Spare spare = of(number);
        boolean isNew = spare.nonce == null;
        spare.nonce = nonce;
        return isNew;
    }

    /** The place of a spare; null if it has none yet. */
    ProcessId place(int number) {
        Spare spare = byNumber.get(number);
        return spare == null ? null : spare.place;
    }

    /** Gives a spare its place. The spare is told now, or when it connects. */
    void assign(int number, ProcessId place, Outbox<Long, RendezvousMessage> out) {
        Spare spare = of(number);
        spare.place = place;
        if (spare.nonce != null) {
            out.send(spare.nonce, new RendezvousMessage.Assign(place));
        }
    }

    /** Notes that the process of a spare has ended. */
    void forget(int number) {
        byNumber.remove(number);
    }

    /** Notes that a process has joined. If it was a spare, it is none any more. */
    void leave(long nonce) {
        Iterator<Spare> each = byNumber.values().iterator();
        while (each.hasNext()) {
            Spare spare = each.next();
            if (spare.nonce != null && spare.nonce == nonce) {
                each.remove();
            }
        }
    }

    /** Takes the nonces of the spares that have connected and may still wait. From now on there are no spares. */
    List<Long> takeAll() {
        List<Long> nonces = new ArrayList<>();
        for (Spare spare : byNumber.values()) {
            if (spare.nonce != null) {
                nonces.add(spare.nonce);
            }
        }
        byNumber.clear();
        return nonces;
    }
}
