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
 * A communicator as its messages see it: members, queues of messages and receives, operations under way, and the
 * failures and revocations that end these. Under the engine lock, except for the fields that never change and the
 * methods that say otherwise.
 */
public class MessageContext implements WaitScope {
    final long id;
    /** Slots in rank order. */
    final SlotRuns members;
    /** The process in each slot of the world in which the communicator was made. Later worlds do not change it. */
    final Membership membership;

    final int rank;
    /** Whether all members run on one host; the same at all members. */
    private final boolean isOnOneHost;
    /** The ranks by host; null where hosts make no difference, and before the first call of {@link #hostedRanks}. */
    private HostedRanks hostedRanks;

    private boolean isHostsKnown;
    /** The two groups of an inter-communicator; null for any other communicator. */
    final TwoGroups groups;
    /**
     * The number of the member that the program's messages name as rank 0: the first of the remote group of an
     * inter-communicator, else 0.
     */
    final int peerBase;

    final String label;
    final FailureView failures;

    final PostedReceives[] posted = {new PostedReceives(), new PostedReceives()};
    final UnexpectedMessages[] unexpected = {new UnexpectedMessages(), new UnexpectedMessages()};
    /** Messages that matched probes have taken and that are still to be received; null before the first of them. */
    List<UnexpectedMessage> claimed;
    /** How many point-to-point messages members may announce to this rank; null until one was announced. */
    OfferWindows offerWindows;
    /**
     * The announcements that this rank has made to members and the sends that it holds back, by the receiver's rank;
     * null before the first announcement.
     */
    private Int2ObjectHashMap<HeldSends> heldSends;

    /** The peers that a message was sent to or came from so far, by rank; null before the first of them. */
    private Peer[] peers;

    final ActiveOperations active = new ActiveOperations();
    /** How many calls under way need this communicator even if it is freed meanwhile. */
    private int openCalls;

    volatile boolean revoked;
    /**
     * Whether some member has failed or departed, so that no collective operation can have its normal result any more.
     */
    boolean collectivesBroken;

    private volatile boolean freed;
    /**
     * How many collective operations this rank has called so far, including those that failed on entry. Members that
     * have made the same calls have the same count.
     */
    private long collectiveSequence;
    /** The members' descriptions of the collective operation that each is in; null until it is needed. */
    private Descriptions descriptions;

    /** @param rank the rank of this process, which is a member */
    public MessageContext(long id, SlotRuns members, Membership membership, int rank, String label) {
        this(id, members, membership, rank, null, label);
    }

    /**
     * @param rank the rank of this process among the members
     * @param groups the two groups of an inter-communicator; null for any other communicator
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
     * Whether this is an inter-communicator. It does not call {@link #groups}: the compiler does not inline a method
     * with a class in its signature that is not loaded, as in a program without inter-communicators.
     */
    public final boolean isInter() {
        return groups != null;
    }

    /** Returns the two groups of an inter-communicator; null for any other communicator. */
    public final TwoGroups groups() {
        return groups;
    }

    /**
     * Returns the member that the program means by a rank in a call that sends or receives; a wildcard, or another
     * negative number, stays as it is.
     */
    public final int memberOf(int peerRank) {
        return peerRank < 0 ? peerRank : peerRank + peerBase;
    }

    /**
     * Returns the rank by which the program knows a member as the sender or receiver of a message; a wildcard, or
     * another negative number, stays as it is.
     */
    public final int peerRankOf(int member) {
        return member < 0 ? member : member - peerBase;
    }

    /** Returns the name of a member in the text of an error: {@code rank 1}. */
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
     * Returns the ranks by host, which decide how collective operations send their messages. Null where hosts make no
     * difference: all members share one host, or no two members share one. Any thread.
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

    /** Returns the rank of a process; −1 if the process is no member. A process that replaced a member is no member. */
    public final int rankOf(ProcessId process) {
        return membership.incarnation(process.slot()) == process.incarnation() ? members.rank(process.slot()) : -1;
    }

    /** Whether the number is a rank of the communicator, and the peer has this rank. */
    final boolean hasAt(int itsRank, Peer peer) {
        Peer[] known = peers;
        return known != null && itsRank >= 0 && itsRank < known.length && known[itsRank] == peer || isAt(itsRank, peer);
    }

    private boolean isAt(int itsRank, Peer peer) {
        boolean isMember = itsRank >= 0
                && itsRank < members.size()
                && members.slot(itsRank) == peer.id.slot()
                && membership.incarnation(peer.id.slot()) == peer.id.incarnation();
        if (isMember && knownPeers()[itsRank] == null) {
            peers[itsRank] = peer;
        }
        return isMember;
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

    /** Notes that the communicator is freed, by the program or by the library. */
    public final void free() {
        freed = true;
    }

    /** Whether the communicator is freed, by the program or by the library. Any thread. */
    public final boolean isFreed() {
        return freed;
    }

    /**
     * Returns the number of the collective operation that begins now, and counts it. The operation counts even if it
     * fails on entry.
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
     * Whether the communicator is idle: no send or receive is under way, no call that needs it ({@link #beginCall}),
     * and no message that a matched probe has taken still waits for its receive.
     */
    public final boolean isIdle() {
        return active.isEmpty() && openCalls == 0 && (claimed == null || claimed.isEmpty());
    }

    /**
     * Returns how many point-to-point messages, or offers of them, have arrived that neither a receive nor a matched
     * probe has taken yet.
     */
    public final int unreceived() {
        return unexpected[MessageKey.POINT_TO_POINT].size();
    }

    /** Returns the peer that has this rank. The peer of a rank never changes, so it is looked up once. */
    Peer peer(Peers known, int ofRank) {
        Peer peer = knownPeers()[ofRank];
        if (peer == null) {
            peer = known.of(this, ofRank);
            peers[ofRank] = peer;
        }
        return peer;
    }

    private Peer[] knownPeers() {
        if (peers == null) {
            peers = new Peer[members.size()];
        }
        return peers;
    }

    OfferWindows offerWindows() {
        if (offerWindows == null) {
            offerWindows = new OfferWindows();
        }
        return offerWindows;
    }

    /** Returns the announcements and held sends to a rank; null if nothing was announced to that rank. */
    HeldSends heldSends(int dest) {
        return heldSends == null ? null : heldSends.get(dest);
    }

    /**
     * Returns the announcements and held sends to a rank; makes the object if nothing was announced to that rank
     * before.
     */
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
