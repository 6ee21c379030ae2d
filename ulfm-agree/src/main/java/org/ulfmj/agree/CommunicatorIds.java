package org.ulfmj.agree;

import org.ulfmj.protocol.Digest64;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotRuns;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.protocol.WireWriter;

/**
 * Ids of communicators: hashes, under the job's secret, of where a communicator comes from. All members compute the
 * same id, because their calls on the parent come in the same order. Two communicators have different ids, so a late
 * frame does not meet another communicator.
 *
 * <p>Each hash covers the name of the operation, and the ordered member list or what fixes that list. Two ranks that
 * disagree about the members, as one that was excluded while it created the communicator and its survivors do, thus
 * never share an id. Not thread-safe.
 */
public final class CommunicatorIds {
    /** Room for a member list of a few million single slots. */
    private static final int LIMIT_BYTES = 1 << 26;

    private final Digest64 digest;

    /** @param digest the hash under the job's secret */
    public CommunicatorIds(Digest64 digest) {
        this.digest = digest;
    }

    /** The id of COMM_WORLD in membership epoch 0. */
    public long world(SlotRuns members) {
        WireWriter fields = named("world").putLong(0);
        members.writeTo(fields);
        return digest.of(fields);
    }

    /** The id of COMM_SELF of a process. */
    public long self(ProcessId process) {
        return digest.of(named("self").putProcess(process));
    }

    /** @param sequence number of the collective call on the parent; below 0 for what the program did not call */
    public long dup(long parent, long sequence, SlotRuns members) {
        return created("dup", parent, sequence, 0, members);
    }

    /** @param sequence number of the collective call on the parent */
    public long split(long parent, long sequence, int colour, SlotRuns members) {
        return created("split", parent, sequence, colour, members);
    }

    /** @param sequence number of the collective call on the parent */
    public long create(long parent, long sequence, SlotRuns members) {
        return created("create", parent, sequence, 0, members);
    }

    /**
     * The id for createGroup. Only the members of the group call it, so it has no number among the parent's collective
     * calls.
     *
     * @param calls how many calls with this tag and this group this rank has made on the parent before
     */
    public long createGroup(long parent, int tag, SlotRuns members, long calls) {
        return created("createGroup", parent, calls, tag, members);
    }

    /**
     * The id of an inter-communicator. Both groups compute it from the same fields; each field of the first group
     * stands before the same field of the second.
     *
     * @param tag that the leaders gave
     */
    public long inter(Half first, Half second, int tag) {
        WireWriter fields = named("inter")
                .putLong(first.parent)
                .putLong(first.sequence)
                .putLong(second.parent)
                .putLong(second.sequence)
                .putInt(tag);
        first.members.writeTo(fields);
        second.members.writeTo(fields);
        return digest.of(fields);
    }

    /**
     * One group of an inter-communicator.
     *
     * @param parent id of the communicator from which the group comes
     * @param sequence number of the collective call on the parent
     */
    public record Half(long parent, long sequence, SlotRuns members) {}

    /**
     * The id of the communicator by which the leaders of two groups meet, before there is an inter-communicator.
     *
     * @param members the two leaders, by slot
     * @param calls how many calls with this tag and these leaders this rank has made on the parent before
     */
    public long leaders(long parent, int tag, SlotRuns members, long calls) {
        return created("leaders", parent, calls, tag, members);
    }

    /**
     * The id of the communicator of both groups of an inter-communicator.
     *
     * @param sequence number of the collective call on the parent
     * @param members in the order of their ranks
     */
    public long merge(long parent, long sequence, SlotRuns members) {
        return created("merge", parent, sequence, 0, members);
    }

    /**
     * The id for shrink. The failed set is part of the hash: a rank that decided early, with a smaller set, and died or
     * was excluded, must not share the id with the survivors, whose ranks are numbered differently.
     *
     * @param sequence number of the agreement on the parent
     */
    public long shrink(long parent, long sequence, SlotSet failed) {
        WireWriter fields = named("shrink").putLong(parent).putLong(sequence);
        failed.writeTo(fields);
        return digest.of(fields);
    }

    /**
     * The id of the world that replace() makes. The digest is part of the hash: a rank that was excluded while it
     * replaced, and came to another list of members, must not share the id with the others.
     *
     * @param sequence number of the agreement on the parent that fixed the members
     * @param members digest of the members with their incarnations and nonces
     */
    public long replace(long parent, long sequence, long members) {
        return digest.of(named("replace").putLong(parent).putLong(sequence).putLong(members));
    }

    /** The id of the world that grow() makes; parameters as of {@link #replace}. */
    public long grow(long parent, long sequence, long members) {
        return digest.of(named("grow").putLong(parent).putLong(sequence).putLong(members));
    }

    private long created(String operation, long parent, long sequence, int colour, SlotRuns members) {
        WireWriter fields = named(operation).putLong(parent).putLong(sequence).putInt(colour);
        members.writeTo(fields);
        return digest.of(fields);
    }

    private static WireWriter named(String operation) {
        return new WireWriter(LIMIT_BYTES).putText(operation);
    }
}
