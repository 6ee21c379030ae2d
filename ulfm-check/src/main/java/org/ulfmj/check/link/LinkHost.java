package org.ulfmj.check.link;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import org.ulfmj.sim.ContentHash;
import org.ulfmj.sim.EventLog;
import org.ulfmj.sim.SimProcess;
import org.ulfmj.transport.session.LinkHello;
import org.ulfmj.transport.session.LinkIdentity;

/**
 * The link sessions of one simulated process. This class drives the sessions as a transport does, but without bytes and
 * cryptographic proofs.
 */
final class LinkHost {
    private final LinkWorld world;
    private final LinkIdentity identity;
    private LinkHome process;
    private final List<PeerLink> links = new ArrayList<>();
    private final List<Connection.End> ends = new ArrayList<>();
    private boolean isLeaving;

    LinkHost(LinkWorld world, LinkIdentity identity) {
        this.world = world;
        this.identity = identity;
    }

    /** Sets the process that these sessions belong to. Called once, before any event. */
    void liveIn(LinkHome one) {
        process = one;
    }

    LinkHome home() {
        return process;
    }

    LinkIdentity identity() {
        return identity;
    }

    SimProcess<?, ?> process() {
        return process.process();
    }

    boolean isRunning() {
        return process().isRunning();
    }

    boolean isLeaving() {
        return isLeaving;
    }

    /** All sessions, also those with earlier incarnations of a peer. */
    List<PeerLink> links() {
        return links;
    }

    /** Returns the session with exactly this process; null if there is none. */
    PeerLink linkTo(LinkIdentity peer) {
        for (PeerLink link : links) {
            if (link.peer().equals(peer)) {
                return link;
            }
        }
        return null;
    }

    /** Returns the peer's side of a session; null if the peer has no session with this process. */
    PeerLink theirs(PeerLink ours) {
        return world.linkOf(ours.peer(), identity);
    }

    /** Opens a session with a process. */
    void know(LinkIdentity peer) {
        links.add(new PeerLink(world, this, peer));
    }

    /** Returns the newest session with a slot; null if there is none. */
    PeerLink linkToSlot(int slot) {
        PeerLink newest = null;
        for (PeerLink link : links) {
            if (link.peer().id().slot() == slot) {
                newest = link;
            }
        }
        return newest;
    }

    void offer(int slot, int frames) {
        step("offers", slot, nowNs -> {
            for (int i = 0; i < frames && !isLeaving; i++) {
                linkToSlot(slot).offer(nowNs);
            }
        });
    }

    /**
     * Offers one more frame for the newest session with a slot, within a step of the process. Returns whether the
     * session takes the frame.
     */
    boolean offerInStep(int slot, long nowNs) {
        return !isLeaving && linkToSlot(slot).offer(nowNs);
    }

    void mark(int slot) {
        step("marks", slot, nowNs -> linkToSlot(slot).mark(nowNs));
    }

    /**
     * Marks a peer of which the process was told for certain that it has ended. Before that it reads all messages that
     * have arrived on the connection with the peer. Without effect if the goodbye of the peer was read earlier, or
     * there is no session with the peer.
     */
    void markAfterEnd(LinkIdentity ended) {
        step("told of", ended.id().slot(), nowNs -> {
            PeerLink link = linkTo(ended);
            if (link == null || link.hasDeparted()) {
                return;
            }
            Connection.End adopted = link.session().adopted();
            if (adopted != null) {
                readAll(adopted, nowNs);
            }
            link.mark(nowNs);
        });
    }

    /** Reads all messages that have arrived on the connection of the newest session with a slot. */
    void readOut(int slot) {
        step("reads out", slot, nowNs -> {
            Connection.End adopted = linkToSlot(slot).session().adopted();
            if (adopted != null) {
                readAll(adopted, nowNs);
            }
        });
    }

    boolean hasLeft() {
        return isLeaving && links.stream().allMatch(link -> link.session().hasLeft());
    }

    void leave() {
        step("leaves", EventLog.NO_PROCESS, nowNs -> {
            if (!isLeaving) {
                isLeaving = true;
                links.forEach(link -> link.leave(nowNs));
            }
        });
    }

    /**
     * Accepts a connection, and sends the challenge to its dialer; if this process has ended, closes the connection.
     */
    void accept(Connection.End end) {
        if (!isRunning()) {
            end.close();
            return;
        }
        ends.add(end);
        end.send(new LinkMessage.Challenge());
    }

    void dialed(Connection.End end) {
        ends.add(end);
    }

    /** A message or a reset has arrived at an end of this process, which reads after a short delay. */
    void wakeForReading(Connection.End end) {
        world.simulation().at(world.simulation().nowNs() + world.drawReadLagNs(), () -> {
            if (!end.isClosed()) {
                step("reads", end.other().owner().identity().id().slot(), nowNs -> readAll(end, nowNs));
            }
        });
    }

    private void readAll(Connection.End end, long nowNs) {
        for (LinkMessage message = end.read(); message != null; message = end.read()) {
            world.simulation()
                    .log()
                    .add(
                            world.simulation().nowNs(),
                            process().node(),
                            "  reads",
                            EventLog.NO_PROCESS,
                            message,
                            31 * ContentHash.of(message) + message.kind());
            readOne(end, message, nowNs);
        }
        if (end.takeReset()) {
            endOf(end, nowNs);
        }
    }

    private void readOne(Connection.End end, LinkMessage message, long nowNs) {
        PeerLink link = linkOver(end, message);
        if (link != null) {
            link.read(end, message, nowNs);
            link.session().flushAckIfDue(nowNs);
        } else {
            end.close();
        }
    }

    private void endOf(Connection.End end, long nowNs) {
        PeerLink link = linkOver(end, null);
        if (link != null) {
            link.session().onEnd(end, nowNs);
        } else {
            end.close();
        }
    }

    /**
     * Returns the session that a connection belongs to; null if there is none. A dialed connection was assigned at the
     * dial; a HELLO assigns the connection to the newest session with the slot that it names.
     */
    private PeerLink linkOver(Connection.End end, LinkMessage message) {
        if (message instanceof LinkMessage.Hello hello) {
            LinkHello proven = hello.hello();
            PeerLink link = linkToSlot(proven.from().id().slot());
            world.belong(end, link);
            return link;
        }
        return world.linkOver(end);
    }

    /**
     * The work after each step: a peer that has a proven successor with which there is no session yet is marked, and a
     * session with the successor opened unless this process is leaving; frames are written; the process is told if it
     * has left; and the timer is set.
     */
    void afterStep(long nowNs) {
        for (PeerLink link : List.copyOf(links)) {
            LinkIdentity successor = link.takeSuccessor();
            if (successor != null && linkTo(successor) == null) {
                link.mark(nowNs);
                if (!isLeaving) { // a process that leaves opens no fresh session (rule L17)
                    know(successor);
                }
            }
        }
        links.forEach(link -> link.write(world.drawBurst()));
        ends.removeIf(Connection.End::isClosed);
        if (links.stream().anyMatch(link -> link.session().canWrite())) {
            world.simulation()
                    .at(world.simulation().nowNs() + world.drawReadLagNs(), () -> step("writes", -1, again -> {}));
        }
        if (hasLeft()) {
            process.hasLeft();
        }
        process.timerAt(nextDeadlineNs());
    }

    private void step(String verb, int other, LongConsumer step) {
        process.step(verb, other, nowNs -> {
            step.accept(nowNs);
            afterStep(nowNs);
        });
    }

    /** Closes all connections, as the kernel does when the process has ended. */
    void closeAll() {
        ends.forEach(Connection.End::close);
    }

    void onTick(long nowNs) {
        for (PeerLink link : links) {
            if (link.session().nextDeadlineNs() <= nowNs) {
                link.session().onTick(nowNs);
            }
        }
        afterStep(nowNs);
    }

    long nextDeadlineNs() {
        long deadlineNs = Long.MAX_VALUE;
        for (PeerLink link : links) {
            deadlineNs = Math.min(deadlineNs, link.session().nextDeadlineNs());
        }
        return deadlineNs;
    }

    @Override
    public String toString() {
        return identity.toString();
    }
}
