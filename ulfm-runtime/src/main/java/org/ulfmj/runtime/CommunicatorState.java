package org.ulfmj.runtime;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.agrona.collections.Int2ObjectHashMap;
import org.agrona.collections.Long2ObjectHashMap;
import org.ulfmj.agree.message.Decision;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotRuns;
import org.ulfmj.runtime.error.ErrorClass;
import org.ulfmj.runtime.error.ErrorWords;
import org.ulfmj.runtime.error.FailureView;
import org.ulfmj.runtime.message.Descriptions;
import org.ulfmj.runtime.waits.WaitScope;

/** What the engine keeps of one communicator. Under the engine lock, but for the fields that never change. */
final class CommunicatorState implements WaitScope {
    private record GroupCall(SlotRuns group, int tag) {}

    final long id;
    /** Slots in rank order. */
    final SlotRuns members;
    /** Which process has each slot: that of the world that this was made in, also when the world goes on. */
    final Membership membership;

    final int rank;
    final String label;
    final Communicator facade;
    final FailureView failures;

    final PostedReceives[] posted = {new PostedReceives(), new PostedReceives()};
    final UnexpectedMessages[] unexpected = {new UnexpectedMessages(), new UnexpectedMessages()};
    /** How many messages of the program others may announce; null until one was announced. */
    OfferWindows offerWindows;
    /** What this rank has announced to others, by their rank; null until it has. */
    private Int2ObjectHashMap<HeldSends> heldSends;

    final ActiveOperations active = new ActiveOperations();
    final List<ScheduleRun> runs = new ArrayList<>();
    /** Decisions of agreements that this rank entered and has not looked at yet, by their number. */
    final Long2ObjectHashMap<Decision> decisions = new Long2ObjectHashMap<>();
    /** The receiver of the decisions of other such agreements. */
    final Long2ObjectHashMap<Decisions.Listener> decisionListeners = new Long2ObjectHashMap<>();
    /** Calls of all members that are not over. */
    private int openCalls;

    private Operation noMessage;

    private final Map<GroupCall, Long> groupCalls = new HashMap<>();

    volatile boolean revoked;
    /** Some member failed or departed: no collective operation can have its normal result any more. */
    boolean collectivesBroken;

    /** Where this is true what was made from it is revoked with it, and so on down. */
    private boolean revokesOffspring;
    /** What was made from it since then, and is not freed. */
    private final List<CommunicatorState> offspring = new ArrayList<>(0);

    volatile boolean freed;
    /** Collective operations called so far, also those that failed on entry: all members count alike. */
    private long collectiveSequence;
    /** What members say of their described operations; null until the first word of it. */
    private Descriptions descriptions;

    final HostShare hostShare = new HostShare();

    CommunicatorState(RankRuntime runtime, long id, SlotRuns members, Membership membership, int rank, String label) {
        this.id = id;
        this.members = members;
        this.membership = membership;
        this.rank = rank;
        this.label = label;
        this.failures = new FailureView(members);
        this.facade = new Communicator(runtime, this);
    }

    @Override
    public String label() {
        return label;
    }

    @Override
    public long id() {
        return id;
    }

    @Override
    public int size() {
        return members.size();
    }

    @Override
    public int slotOf(int rank) {
        return members.slot(rank);
    }

    @Override
    public int rankOfSlot(int slot) {
        return members.rank(slot);
    }

    /** The process that has a rank. */
    ProcessId process(int rank) {
        return membership.process(members.slot(rank));
    }

    /** The rank of a process; −1 if it is no member, as the replacement of one is none. */
    int rankOf(ProcessId process) {
        return membership.incarnation(process.slot()) == process.incarnation() ? members.rank(process.slot()) : -1;
    }

    /** Whether the process has this rank. */
    boolean hasAt(int rank, ProcessId process) {
        return members.slot(rank) == process.slot() && membership.incarnation(process.slot()) == process.incarnation();
    }

    /** The number of the next collective operation; it counts from now on, also if it fails on entry. */
    long beginCollective() {
        return collectiveSequence++;
    }

    /** Collective operations called so far. */
    long collectiveSequence() {
        return collectiveSequence;
    }

    /** A call that needs the communicator until {@link #endCall}, though another thread frees it meanwhile. */
    void beginCall() {
        openCalls++;
    }

    void endCall() {
        openCalls--;
    }

    boolean hasOpenCalls() {
        return openCalls > 0;
    }

    /** What a message with no rank is, while the communicator is not revoked. */
    Operation noMessage() {
        if (noMessage == null) {
            noMessage = new NoOperation(this, ErrorClass.SUCCESS);
        }
        return noMessage;
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

    /** What was announced to a rank, to count another. */
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

    Descriptions descriptions() {
        if (descriptions == null) {
            descriptions = new Descriptions();
        }
        return descriptions;
    }

    /** Returns what was the case before. */
    boolean revokeOffspring(boolean doIt) {
        boolean did = revokesOffspring;
        revokesOffspring = doIt;
        if (!doIt) {
            offspring.clear();
        }
        return did;
    }

    boolean revokesOffspring() {
        return revokesOffspring;
    }

    /** A communicator was made from this one. */
    void begat(CommunicatorState made) {
        if (revokesOffspring) {
            offspring.removeIf(older -> older.freed);
            offspring.add(made);
            made.revokesOffspring = true;
        }
    }

    /** The communicators whose revocation follows this one's. */
    List<CommunicatorState> offspring() {
        return offspring;
    }

    /** Counts the calls of createGroup with this tag and these members; returns how many there were before. */
    long countGroupCall(SlotRuns group, int tag) {
        return groupCalls.merge(new GroupCall(group, tag), 1L, Long::sum) - 1;
    }

    /** {@code COMM_WORLD (4 ranks)}. */
    @Override
    public String toString() {
        return ErrorWords.communicator(label, members.size());
    }
}
