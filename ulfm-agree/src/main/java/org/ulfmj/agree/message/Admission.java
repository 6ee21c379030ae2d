package org.ulfmj.agree.message;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.Placement;
import org.ulfmj.protocol.Sha256;
import org.ulfmj.protocol.SlotRuns;
import org.ulfmj.protocol.WireFormatException;
import org.ulfmj.protocol.WireReader;
import org.ulfmj.protocol.WireWriter;

/**
 * A world as replace() or grow() has made it: the same at all ranks that returned from the call, and at all newcomers
 * that were welcomed, if they are not later reported failed.
 *
 * @param epoch number of the membership epoch, from 1
 * @param world id of the communicator of all members
 * @param members the members by slot; not to be changed
 * @param ancestry what the world knows of those before it
 */
public record Admission(long epoch, long world, SortedMap<Integer, Contact> members, Ancestry ancestry) {
    private static final int LIMIT_BYTES = 1 << 26;

    public Admission {
        if (epoch < 1 || members.isEmpty()) {
            throw new IllegalArgumentException("epoch " + epoch + " with " + members.size() + " members");
        }
        for (SortedMap.Entry<Integer, Contact> member : members.entrySet()) {
            if (member.getKey() != member.getValue().process().slot()) {
                throw new IllegalArgumentException("slot " + member.getKey() + " is held by " + member.getValue());
            }
        }
        if (members.lastKey() >= ancestry.next()) {
            throw new IllegalArgumentException("slot " + members.lastKey() + " is not given away yet: " + ancestry);
        }
        members = Collections.unmodifiableSortedMap(members);
    }

    /** A world that was made of no other. */
    public Admission(long epoch, long world, SortedMap<Integer, Contact> members) {
        this(epoch, world, members, Ancestry.of(members.isEmpty() ? 0 : members.lastKey()));
    }

    /** The members of the world; a new object each time. */
    public Membership membership() {
        int[] slots = new int[members.size()];
        int count = 0;
        SortedMap<Integer, Integer> incarnations = new TreeMap<>();
        for (Contact member : members.values()) {
            slots[count++] = member.process().slot();
            if (member.process().incarnation() > 0) {
                incarnations.put(member.process().slot(), member.process().incarnation());
            }
        }
        return Membership.of(epoch, SlotRuns.of(slots), incarnations);
    }

    /**
     * Returns a hash of the members and their hosts: two worlds with the same slots and another process in one of them,
     * or another placement, have different digests. 64 bits of a hash without a secret.
     *
     * @param placement of the members
     */
    public long digest(Placement placement) {
        WireWriter fields = new WireWriter(LIMIT_BYTES).putLong(epoch);
        for (Contact member : members.values()) {
            fields.putProcess(member.process()).putLong(member.nonce());
        }
        placement.writeTo(fields);
        return new WireReader(Sha256.of(fields.toByteArray())).getLong();
    }

    /** Whether the process with this nonce is a member, or was let in by grow() before. */
    public boolean knows(long nonce) {
        return ancestry.past().contains(nonce) || members.values().stream().anyMatch(member -> member.nonce() == nonce);
    }

    /** The same members in the world of this id. */
    public Admission named(long id) {
        return new Admission(epoch, id, members, ancestry);
    }

    /** The length in bytes of a world with these members, as it is written in a message. */
    public static int lengthBytes(SortedMap<Integer, Contact> members, Ancestry ancestry) {
        int length = 2 * Long.BYTES + Integer.BYTES + ancestry.lengthBytes();
        for (Contact member : members.values()) {
            length += member.lengthBytes();
        }
        return length;
    }

    public void writeTo(WireWriter out) {
        ContactList.write(members, out.putLong(epoch).putLong(world));
        ancestry.writeTo(out);
    }

    public static Admission readFrom(WireReader in) {
        long epoch = in.getLong();
        long world = in.getLong();
        SortedMap<Integer, Contact> members = ContactList.read(in);
        Ancestry ancestry = Ancestry.readFrom(in);
        if (epoch < 1 || members.isEmpty() || members.lastKey() >= ancestry.next()) {
            throw new WireFormatException("epoch " + epoch + " with " + members.size() + " members, " + ancestry);
        }
        return new Admission(epoch, world, members, ancestry);
    }

    @Override
    public String toString() {
        return "epoch " + epoch + " world " + Long.toHexString(world) + " " + members.values();
    }
}
