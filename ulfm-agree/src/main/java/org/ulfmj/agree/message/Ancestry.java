package org.ulfmj.agree.message;

import java.util.Collections;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import org.ulfmj.protocol.WireFormatException;
import org.ulfmj.protocol.WireReader;
import org.ulfmj.protocol.WireWriter;

/**
 * What a world knows of the worlds that it was made of, so that grow() gives no slot to two processes, and no process
 * two slots (G4). Part of a world: the same at all its members.
 *
 * @param founders how many slots the first of these worlds had, counted to its highest slot
 * @param next the next slot that grow() gives away. It only rises, also after the process in a slot has died
 * @param past nonces of the processes that grow() let in and that are members no more. Not to be changed
 */
public record Ancestry(int founders, int next, SortedSet<Long> past) {
    public Ancestry {
        if (founders < 1 || next < founders) {
            throw new IllegalArgumentException("next slot " + next + " after " + founders + " founders");
        }
        past = Collections.unmodifiableSortedSet(past);
    }

    /** The ancestry of a world that was made of no other, with this highest slot. */
    public static Ancestry of(int highestSlot) {
        return new Ancestry(highestSlot + 1, highestSlot + 1, new TreeSet<>());
    }

    /**
     * The ancestry of the world that comes after another one.
     *
     * @param before the members of the world with this ancestry
     * @param after the members of the world that comes after it
     * @param nextAfter the first slot that was not given away yet
     */
    public Ancestry then(SortedMap<Integer, Contact> before, SortedMap<Integer, Contact> after, int nextAfter) {
        SortedSet<Long> left = new TreeSet<>(past);
        for (Contact member : before.values()) {
            boolean stays = member.equals(after.get(member.process().slot()));
            boolean wasLetInByGrow =
                    member.process().slot() >= founders && member.process().incarnation() == 0;
            if (wasLetInByGrow && !stays) {
                left.add(member.nonce());
            }
        }
        return new Ancestry(founders, nextAfter, left);
    }

    int lengthBytes() {
        return 3 * Integer.BYTES + past.size() * Long.BYTES;
    }

    void writeTo(WireWriter out) {
        out.putInt(founders).putInt(next).putInt(past.size());
        past.forEach(out::putLong);
    }

    static Ancestry readFrom(WireReader in) {
        int founders = in.getInt();
        int next = in.getInt();
        int count = in.getInt();
        in.requireCount(count, Long.BYTES, "nonces of the past");
        SortedSet<Long> past = new TreeSet<>();
        for (int i = 0; i < count; i++) {
            long nonce = in.getLong();
            if (!past.isEmpty() && nonce <= past.last()) {
                throw new WireFormatException("nonces must ascend, got " + Long.toHexString(nonce));
            }
            past.add(nonce);
        }
        if (founders < 1 || next < founders) {
            throw new WireFormatException("next slot " + next + " after " + founders + " founders");
        }
        return new Ancestry(founders, next, past);
    }

    @Override
    public String toString() {
        return "next slot " + next + (past.isEmpty() ? "" : " " + past.size() + " of the past");
    }
}
