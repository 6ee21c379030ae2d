package org.ulfmj.runtime.transfer;

import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.runtime.error.ErrorClass;
import org.ulfmj.runtime.lent.Lending;
import org.ulfmj.runtime.message.CommunicatorTable;
import org.ulfmj.runtime.message.Loopback;
import org.ulfmj.runtime.message.MessageKey;
import org.ulfmj.runtime.message.Notice;
import org.ulfmj.runtime.options.RankSettings;
import org.ulfmj.runtime.progress.Clock;
import org.ulfmj.runtime.progress.Engine;
import org.ulfmj.runtime.progress.Progress;
import org.ulfmj.transport.Fabric;
import org.ulfmj.transport.FrameSink;
import org.ulfmj.transport.HostMemory;
import org.ulfmj.transport.Payload;

/**
 * All sends and receives of a rank: the parts that carry them out, and what happens to them when a process fails or
 * departs, or when a communicator is revoked or freed. Under the engine lock.
 */
public final class Traffic {
    private final Fabric fabric;
    private final Peers peers;
    private final Loopback loopback;
    private final Lending lending;
    private final Outbound outbound;
    private final Notices notices;
    private final Matching matching;
    private final Transfers transfers;
    private final int eagerLimitBytes;

    /**
     * @param first the world that this rank began in, or that it has asked to be let into
     * @param lock the engine's lock: a copy of many pieces pauses when another thread waits for it
     */
    public Traffic(
            ProcessId me, Membership first, Fabric fabric, Clock clock, ReentrantLock lock, RankSettings settings) {
        this.fabric = fabric;
        this.peers = new Peers(me, first, settings.eagerCreditBytes());
        this.loopback = new Loopback(me);
        HostMemory memory = fabric.hostMemory();
        this.lending = new Lending(me, memory);
        Contributions contributions = new Contributions(memory, lock);
        this.outbound = new Outbound(fabric, loopback, lending, contributions, clock, settings.eagerLimitBytes());
        this.notices = outbound.notices();
        Division division = new Division(memory, lending, notices, clock, settings);
        this.matching = new Matching(notices, new Pulls(memory, division, notices, lock), division);
        this.transfers = new Transfers(peers, outbound, matching);
        this.eagerLimitBytes = settings.eagerLimitBytes();
    }

    /** Makes the object that handles every frame that arrives; called once. */
    public Inbound inbound(CommunicatorTable<? extends MessageContext> communicators, Inbound.Protocols protocols) {
        return new Inbound(protocols, peers, communicators, matching, outbound);
    }

    /** What starts sends and receives. */
    public Transfers transfers() {
        return transfers;
    }

    /**
     * Makes the object by which short messages between ranks of a host are sent and received without operations; called
     * once.
     */
    public ShortMessages shortMessages(Engine engine, Progress progress) {
        return new ShortMessages(peers, fabric, notices, transfers, engine, progress, eagerLimitBytes);
    }

    /** Returns the buffers of the program that other ranks of the host can read. */
    public Lending lending() {
        return lending;
    }

    Peers peers() {
        return peers;
    }

    Matching matching() {
        return matching;
    }

    Fabric fabric() {
        return fabric;
    }

    // The turns of the engine.

    /** Passes the frames that this rank has sent to itself to the sink; returns how many. */
    public int pollLoopback(FrameSink sink) {
        return loopback.isEmpty() ? 0 : loopback.poll(sink);
    }

    /**
     * Sends frames that waited for room, and copies pieces of messages that lie in lent memory of other ranks. Returns
     * how much was done.
     */
    public int advance() {
        return outbound.flush() + matching.pull();
    }

    /**
     * Whether this rank has frames for itself, output that waits for room, or a receive that copies from lent memory:
     * then it can go on, or try again, even without input.
     */
    public boolean hasWork() {
        return !loopback.isEmpty() || outbound.hasBacklog() || matching.isPulling();
    }

    /** Returns when {@link #advance} is due even if no input comes; {@link Long#MAX_VALUE} if never. */
    public long nextDeadlineNs() {
        return outbound.nextDeadlineNs();
    }

    /** Stops all sending, because this rank has ended, for instance by Finalize. */
    public void close() {
        outbound.close();
    }

    /** Lets put-off messages be sent as soon as there is room, because this rank leaves. */
    public void hurry() {
        notices.hurry();
    }

    /**
     * Whether all frames that the medium has taken from this rank for connected processes have arrived. Processes that
     * have failed, departed or died do not count.
     */
    public boolean isHandedOver() {
        for (ProcessId process : fabric.connected()) {
            Peer peer = peers.of(process);
            if (peer != null && !peer.isSelf && !peer.isGone() && !fabric.isHandedOver(process)) {
                return false;
            }
        }
        return true;
    }

    // Messages of the protocols.

    /** Whether this rank exchanges messages with the process. Messages of other processes are not for this rank. */
    public boolean knows(ProcessId process) {
        return peers.of(process) != null;
    }

    /** Adds a process with which this rank may exchange messages from now on. */
    public void introduce(ProcessId process) {
        peers.introduce(process);
    }

    /**
     * Sends a protocol message to a process that this rank {@linkplain #knows}.
     *
     * @param isAwaited whether this rank will wait until the message has arrived
     */
    public void sendControl(ProcessId to, Payload message, boolean isAwaited) {
        notices.sendControl(peers.of(to), message, isAwaited);
    }

    /** Sends a heartbeat to a process that this rank {@linkplain #knows}. */
    public void sendHeartbeat(ProcessId to, Payload message) {
        notices.sendHeartbeat(peers.of(to), message);
    }

    /**
     * Puts off a protocol message that need not wake its receiver: it is sent within about a millisecond if there is
     * room. It goes earlier if another notice to that process is sent, and then ahead of that one.
     */
    public void putOff(ProcessId to, Notice message) {
        notices.putOff(peers.of(to), message);
    }

    // The processes.

    /**
     * Marks the process failed, and drops what still waits to be sent to it. Returns false if this rank does not know
     * the process.
     */
    public boolean onFailed(ProcessId process) {
        Peer peer = peers.of(process);
        if (peer == null) {
            return false;
        }
        peer.failed = true;
        outbound.dropAll(peer);
        return true;
    }

    /** Marks a process failed that failed long ago and of which this rank learns only now. */
    public void onFailedLongAgo(ProcessId process) {
        peers.introduce(process);
        peers.of(process).failed = true;
    }

    public boolean isFailed(ProcessId process) {
        return peers.of(process).failed;
    }

    /** Notes that the process has said goodbye. Returns false if this rank does not know the process. */
    public boolean onDeparted(ProcessId process) {
        Peer peer = peers.of(process);
        if (peer == null) {
            return false;
        }
        peer.departed = true;
        outbound.endStreamed(peer);
        return true;
    }

    /**
     * Notes, while this rank is leaving, that the process is dead: messages to that process need not arrive any more.
     */
    public void onEnded(ProcessId process) {
        Peer peer = peers.of(process);
        if (peer == null || peer.isGone()) {
            return;
        }
        peer.ended = true;
        outbound.dropAll(peer);
        fabric.abandon(process);
    }

    /** Returns the known processes whose slot has a later process in the given world. */
    public List<ProcessId> formerOf(Membership world) {
        return peers.formerOf(world);
    }

    /**
     * Forgets the given processes, which this rank has nothing to do with any more, except those of its first world.
     */
    public void forget(List<ProcessId> former) {
        peers.forget(former);
    }

    // The communicators.

    /**
     * Returns the error that a message between this rank and the given rank of a communicator would meet now. Returns
     * {@link ErrorClass#SUCCESS} if there is none.
     */
    public ErrorClass verdict(MessageContext communicator, int rank) {
        return ErrorRules.of(communicator, false, rank, peers.of(communicator, rank));
    }

    /** Marks the offers of failed members on a communicator as lost, since their bytes can never be fetched. */
    public void loseOffers(MessageContext communicator) {
        for (int rank : communicator.failures.inOrder()) {
            matching.loseOffers(communicator, peers.of(communicator, rank));
        }
    }

    /**
     * Ends the sends and receives on a communicator that cannot go on now that a member has failed or departed, and
     * tells the waiting calls of those that are held up. Throws away messages of collective operations, and marks the
     * member's point-to-point offers as lost.
     */
    public void onMemberGone(MessageContext communicator, ProcessId gone) {
        endByRules(communicator);
        matching.purge(communicator, MessageKey.COLLECTIVE, null);
        matching.loseOffers(communicator, peers.of(gone));
    }

    /**
     * {@linkplain #end Ends} all sends and receives on a communicator that is revoked, and throws away its arrived
     * messages and held-back sends.
     */
    public void onRevoked(MessageContext communicator) {
        endByRules(communicator);
        outbound.dropHeld(communicator);
        matching.purge(communicator, MessageKey.POINT_TO_POINT, ErrorClass.REVOKED);
        matching.purge(communicator, MessageKey.COLLECTIVE, ErrorClass.REVOKED);
    }

    /**
     * Throws away the messages that wait for a receive on a communicator that is freed and has no operation under way.
     * Held-back sends are dropped too.
     */
    public void onFreed(MessageContext communicator) {
        matching.purge(communicator, MessageKey.POINT_TO_POINT, null);
        matching.purge(communicator, MessageKey.COLLECTIVE, null);
        outbound.dropHeld(communicator);
    }

    private void endByRules(MessageContext communicator) {
        Operation next;
        for (Operation operation = communicator.active.first(); operation != null; operation = next) {
            next = operation.nextActive;
            ErrorClass verdict = ErrorRules.of(operation);
            if (verdict == ErrorClass.REVOKED || verdict == ErrorClass.PROC_FAILED) {
                end(operation, verdict);
            } else if (verdict == ErrorClass.PROC_FAILED_PENDING && operation.watcher != null) {
                operation.watcher.onHeldUp();
            }
        }
    }

    /**
     * Ends an operation before its time with an error. If another process may still write to its buffer, the operation
     * ends only when that process has stopped writing, or has ended.
     */
    public void end(Operation operation, ErrorClass error) {
        operation.detach();
        if (operation.source == MessageKey.ANY_SOURCE && error == ErrorClass.PROC_FAILED) {
            operation.source = operation.namedPeer();
        }
        if (!matching.endsLater(operation, error)) {
            operation.finish(error);
        }
    }
}
