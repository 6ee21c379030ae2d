package org.ulfmj.runtime.transfer;

import java.util.List;
import org.agrona.collections.Int2ObjectHashMap;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotRuns;
import org.ulfmj.runtime.error.ErrorWords;
import org.ulfmj.runtime.error.FailureView;
import org.ulfmj.runtime.inter.TwoGroups;
import org.ulfmj.runtime.member.HostedRanks;
import org.ulfmj.runtime.message.Descriptions;
import org.ulfmj.runtime.message.MessageKey;
import org.ulfmj.runtime.waits.WaitScope;

/**
 * A communicator as its messages know it: members, queues of messages and receives, operations that are under way, and
 * the failures and revocations that end them. MPI calls it the communicator's context. Under the engine lock, but for
 * the fields that never change.
 */
public class MessageContext implements WaitScope {
    final long id;
    /** Slots in rank order. */
    final SlotRuns members;
    /**
     * Which process has each slot in the world in which the communicator was made. Later worlds change nothing here.
     */
    final Membership membership;

    final int rank;
    /** Whether all members run on one host; the same at all members. */
    private final boolean isOnOneHost;
    /** The ranks by host; null where hosts make no difference, and before {@link #hostedRanks} is asked. */
    private HostedRanks hostedRanks;

    private boolean isHostsKnown;
    /** The division of the members, if this is an inter-communicator; else null. */
    final TwoGroups groups;
    /** The member that has rank 0 for the program's messages. It is 0, unless this is an inter-communicator. */
    final int peerBase;

    final String label;
    final FailureView failures;

    final PostedReceives[] posted = {new PostedReceives(), new PostedReceives()};
    final UnexpectedMessages[] unexpected = {new UnexpectedMessages(), new UnexpectedMessages()};
    /** Messages that a probe has matched and that are still to be received; null before the first. */
    List<UnexpectedMessage> claimed;
    /** How many messages of the program others may announce; null until one was announced. */
    OfferWindows offerWindows;
    /** What this rank has announced to others, by their rank; null until it has announced something. */
    private Int2ObjectHashMap<HeldSends> heldSends;

    /** Peers that messages were sent to or received from, by rank; null before the first. */
    private Peer[] peers;

    final ActiveOperations active = new ActiveOperations();
    /** How many calls in which all members take part are not over. */
    private int openCalls;

    volatile boolean revoked;
    /** Whether some member failed or departed, so that no collective operation can have its normal result any more. */
    boolean collectivesBroken;

    private volatile boolean freed;
    /** How many collective operations were called so far, also those that failed on entry: all members count alike. */
    private long collectiveSequence;
    /** What members say of their described operations; null until it is needed. */
    private Descriptions descriptions;

    /** @param rank of this process, which is a member */
    public MessageContext(long id, SlotRuns members, Membership membership, int rank, String label) {
        this(id, members, membership, rank, null, label);
    }

    /**
     * @param rank of this process among the members
     * @param groups the division of the members of an inter-communicator; null for any other communicator
     */
    public MessageContext(long id, SlotRuns members, Membership membership, int rank, TwoGroups groups, String label) {
        this.id = id;
        this.members = members;
        this.membership = membership;
        this.rank = rank;
        this.isOnOneHost = membership.placement().areOnOneHost(members);
        this.groups = groups;
        this.peerBase = groups == null ? 0 : groups.remoteStart();
        this.label = label;
        this.failures = groups == null
                ? new FailureView(members)
                : new FailureView(members, groups.localStart(), groups.localStart() + groups.localSize());
    }

    /**
     * Whether this is an inter-communicator. Each call asks. A call of {@link #groups} would not be inlined in a
     * program without inter-communicators: the compiler does not inline a method with a class in its signature that is
     * not loaded.
     */
    public final boolean isInter() {
        return groups != null;
    }

    /** The division of the members of an inter-communicator; null for any other communicator. */
    public final TwoGroups groups() {
        return groups;
    }

    /** The member that the program names by a rank in a call that sends or receives, also by a wildcard. */
    public final int memberOf(int peerRank) {
        return peerRank < 0 ? peerRank : peerRank + peerBase;
    }

    /** The rank by which the program knows the sender or receiver of a message, also a wildcard. */
    public final int peerRankOf(int member) {
        return member < 0 ? member : member - peerBase;
    }

    /** How a message of an error calls a member: {@code rank 1}. */
    public final String nameOf(int member) {
        return groups == null ? "rank " + member : groups.name(member);
    }

    @Override
    public final String label() {
        return label;
    }

    @Override
    public final long id() {
        return id;
    }

    @Override
    public final int size() {
        return members.size();
    }

    @Override
    public final int slotOf(int ofRank) {
        return members.slot(ofRank);
    }

    @Override
    public final int rankOfSlot(int slot) {
        return members.rank(slot);
    }

    /** The rank of this process. */
    public final int rank() {
        return rank;
    }

    /** Whether all members run on one host. */
    public final boolean isOnOneHost() {
        return isOnOneHost;
    }

    /**
     * Returns the ranks by host, by which collective operations by messages go; null where hosts make no difference:
     * all members share one, or no two of them do. Any thread.
     */
    public final HostedRanks hostedRanks() {
        if (isOnOneHost) {
            return null;
        }
        synchronized (this) {
            if (!isHostsKnown) {
                hostedRanks = HostedRanks.of(members, membership.placement());
                isHostsKnown = true;
            }
            return hostedRanks;
        }
    }

    /** Slots in rank order. */
    public final SlotRuns members() {
        return members;
    }

    /** Which process has each slot. */
    public final Membership membership() {
        return membership;
    }

    /** Returns the failures of members that this rank knows of. */
    public final FailureView failures() {
        return failures;
    }

    /** Returns the process that has a rank. */
    public final ProcessId process(int ofRank) {
        return membership.process(members.slot(ofRank));
    }

    /** Returns the rank of a process; −1 if the process is no member. The replacement of a member is no member. */
    public final int rankOf(ProcessId process) {
        return membership.incarnation(process.slot()) == process.incarnation() ? members.rank(process.slot()) : -1;
    }

    /** Whether the process has this rank. */
    final boolean hasAt(int itsRank, ProcessId process) {
        return members.slot(itsRank) == process.slot()
                && membership.incarnation(process.slot()) == process.incarnation();
    }

    /** Notes that some member failed or departed: no collective operation can have its normal result any more. */
    public final void breakCollectives() {
        collectivesBroken = true;
    }

    /** Marks the communicator revoked. */
    public final void revoke() {
        revoked = true;
    }

    /** Whether the communicator is revoked. Any thread. */
    public final boolean isRevoked() {
        return revoked;
    }

    /** Notes that the program has freed the communicator. */
    public final void free() {
        freed = true;
    }

    /** Whether the program has freed the communicator. Any thread. */
    public final boolean isFreed() {
        return freed;
    }

    /**
     * Takes the number of the next collective operation and returns it. The operation counts even if it fails on entry.
     */
    public long beginCollective() {
        return collectiveSequence++;
    }

    /** Returns how many collective operations were called so far. */
    public final long collectiveSequence() {
        return collectiveSequence;
    }

    /**
     * Notes that a call begins that needs the communicator until {@link #endCall}, even if another thread frees it
     * meanwhile.
     */
    public final void beginCall() {
        openCalls++;
    }

    public final void endCall() {
        openCalls--;
    }

    /**
     * Whether no operation, and no call in which all members take part, is under way, and no matched message waits for
     * its receive.
     */
    public final boolean isIdle() {
        return active.isEmpty() && openCalls == 0 && (claimed == null || claimed.isEmpty());
    }

    /** How many messages of the program have met no receive yet. */
    public final int unreceived() {
        return unexpected[MessageKey.POINT_TO_POINT].size();
    }

    /** The peer that has a rank, which never changes. */
    Peer peer(Peers known, int ofRank) {
        if (peers == null) {
            peers = new Peer[members.size()];
        }
        Peer peer = peers[ofRank];
        if (peer == null) {
            peer = known.of(this, ofRank);
            peers[ofRank] = peer;
        }
        return peer;
    }

    OfferWindows offerWindows() {
        if (offerWindows == null) {
            offerWindows = new OfferWindows();
        }
        return offerWindows;
    }

    /** What was announced to a rank, or null if nothing was. */
    HeldSends heldSends(int dest) {
        return heldSends == null ? null : heldSends.get(dest);
    }

    /** What was announced to a rank; made if nothing was announced to that rank before. */
    HeldSends heldSends(int dest, Peer to) {
        if (heldSends == null) {
            heldSends = new Int2ObjectHashMap<>();
        }
        HeldSends held = heldSends.get(dest);
        if (held == null) {
            held = new HeldSends(to);
            heldSends.put(dest, held);
        }
        return held;
    }

    Iterable<HeldSends> allHeldSends() {
        return heldSends == null ? List.of() : heldSends.values();
    }

    /** What members say of their described operations. */
    public final Descriptions descriptions() {
        if (descriptions == null) {
            descriptions = new Descriptions();
        }
        return descriptions;
    }

    /** {@code COMM_WORLD (4 ranks)}. */
    @Override
    public final String toString() {
        return ErrorWords.communicator(label, members.size());
    }
}
