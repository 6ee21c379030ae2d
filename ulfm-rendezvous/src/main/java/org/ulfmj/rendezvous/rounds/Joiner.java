package org.ulfmj.rendezvous.rounds;

import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.WireFormatException;
import org.ulfmj.protocol.WireReader;
import org.ulfmj.protocol.WireWriter;
import org.ulfmj.transport.MemberRecord;

/**
 * A process that joins without a slot. Slots are given in the order of (host order, local index, nonce), so that the
 * ranks of one host are neighbours.
 *
 * <p>Until it has a slot the process has a provisional name: a {@link ProcessId} with a number above all slots, which
 * the core gives to it and to no other process. No process is a member under such a name.
 *
 * @param hostOrder place of its host in the list of hosts
 * @param localIndex number of the process on its host
 * @param member its nonce and addresses, with the name that the sender knows
 */
public record Joiner(int hostOrder, int localIndex, MemberRecord member) implements Comparable<Joiner> {
    /** The smallest slot number of a provisional name. Slots of a world are smaller. */
    public static final int FIRST_PROVISIONAL = 1 << 24;

    /** The largest size of a process's record: members pass records on in their agreements. */
    static final int MOST_RECORD_BYTES = 1_000;

    /** The name under which a process joins. The core does not read it. */
    public static final ProcessId NAMELESS = ProcessId.of(Integer.MAX_VALUE);

    /** Returns the provisional name of the process that was the n-th to join, counted from 0. */
    public static ProcessId provisional(int n) {
        return ProcessId.of(FIRST_PROVISIONAL + n);
    }

    public static boolean isProvisional(ProcessId name) {
        return name.slot() >= FIRST_PROVISIONAL;
    }

    public long nonce() {
        return member.nonce();
    }

    /** The same process by another name. */
    public Joiner named(ProcessId name) {
        return new Joiner(hostOrder, localIndex, member.named(name));
    }

    @Override
    public int compareTo(Joiner other) {
        int byHost = Integer.compare(hostOrder, other.hostOrder);
        if (byHost != 0) {
            return byHost;
        }
        int byIndex = Integer.compare(localIndex, other.localIndex);
        return byIndex != 0 ? byIndex : Long.compare(nonce(), other.nonce());
    }

    public void writeTo(WireWriter out) {
        out.putInt(hostOrder).putInt(localIndex);
        member.writeTo(out);
    }

    public static Joiner readFrom(WireReader in) {
        int hostOrder = in.getInt();
        int localIndex = in.getInt();
        int before = in.remaining();
        Joiner joiner = new Joiner(hostOrder, localIndex, MemberRecord.readFrom(in));
        int recordBytes = before - in.remaining();
        if (hostOrder < 0 || localIndex < 0 || recordBytes > MOST_RECORD_BYTES) {
            throw new WireFormatException("a process at place " + localIndex + " of host " + hostOrder
                    + " with a record of " + recordBytes + " bytes; places begin at 0, and at most " + MOST_RECORD_BYTES
                    + " bytes are allowed");
        }
        return joiner;
    }
}
