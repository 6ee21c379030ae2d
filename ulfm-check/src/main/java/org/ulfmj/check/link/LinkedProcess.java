package org.ulfmj.check.link;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import org.ulfmj.sim.SeededRandom;
import org.ulfmj.sim.SimProcess;
import org.ulfmj.transport.session.LinkIdentity;

/** A process whose messages go over link sessions: frame {@code k} for a peer is the {@code k}th message for it. */
final class LinkedProcess<M> implements LinkHome {
    private final LinkedNetwork<M> network;
    private final LinkHost host;
    private final SimProcess<?, ?> process;
    private final LinkedEvents events;
    private final SeededRandom random;
    private final SortedMap<Integer, List<M>> sent = new TreeMap<>();
    private long armedNs = Long.MAX_VALUE;

    LinkedProcess(LinkedNetwork<M> network, LinkHost host, SimProcess<?, ?> process, LinkedEvents events) {
        this.network = network;
        this.host = host;
        this.process = process;
        this.events = events;
        this.random = network.simulation().random("timer of sessions " + process.node());
    }

    LinkHost host() {
        return host;
    }

    private List<M> sentTo(int slot) {
        return sent.computeIfAbsent(slot, key -> new ArrayList<>());
    }

    M sentTo(int slot, long number) {
        return sentTo(slot).get((int) number - 1);
    }

    /**
     * Sends a message, within a step. A message is lost if this process is leaving, or if its session with the peer
     * takes no more frames.
     */
    void send(int to, M message) {
        if (host.offerInStep(to, process.clockNs())) {
            sentTo(to).add(message);
            host.afterStep(process.clockNs());
        }
    }

    /** Returns how many messages of this process that meet a condition may still arrive at their receivers. */
    int count(Predicate<M> sort) {
        int count = 0;
        for (PeerLink link : host.links()) {
            PeerLink theirs = host.theirs(link);
            boolean mayArrive = theirs.host().isRunning()
                    && !link.session().isClosedToFrames()
                    && !link.isLost()
                    && !theirs.hasMarked();
            List<M> messages = sentTo(link.peer().id().slot());
            for (int i = mayArrive ? (int) theirs.delivered() : messages.size(); i < messages.size(); i++) {
                count += sort.test(messages.get(i)) ? 1 : 0;
            }
        }
        return count;
    }

    /**
     * Whether this process's session with a slot has reported the peer lost, although the peer is neither marked nor
     * departed and has not told this process that it has marked it.
     */
    boolean misses(int slot) {
        PeerLink link = host.linkToSlot(slot);
        return link.isLost() && !link.hasMarked() && !link.hasDeparted() && !link.isExcluded();
    }

    @Override
    public SimProcess<?, ?> process() {
        return process;
    }

    @Override
    public void step(String verb, int other, LongConsumer step) {
        process.work(() -> {
            network.simulation().log().add(network.simulation().nowNs(), process.node(), verb, other, null);
            step.accept(process.clockNs());
        });
    }

    @Override
    public void timerAt(long deadlineNs) {
        if (deadlineNs == Long.MAX_VALUE || !process.isRunning()) {
            return;
        }
        long nowNs = network.simulation().nowNs();
        long earliestNs = nowNs + Math.max(0, deadlineNs - process.clockNs());
        if (armedNs > nowNs && armedNs <= earliestNs + SimProcess.MAX_TIMER_LATENESS_NS) {
            return;
        }
        long dueNs = earliestNs + 1 + random.below((int) SimProcess.MAX_TIMER_LATENESS_NS);
        armedNs = dueNs;
        network.simulation().at(dueNs, () -> process.work(() -> onTimer(dueNs)));
    }

    private void onTimer(long dueNs) {
        if (armedNs == dueNs) {
            armedNs = Long.MAX_VALUE;
            if (host.nextDeadlineNs() <= process.clockNs()) {
                host.onTick(process.clockNs());
            } else {
                timerAt(host.nextDeadlineNs());
            }
        }
    }

    private void soon(Runnable event) {
        network.simulation().at(network.simulation().nowNs(), event);
    }

    @Override
    public void takes(LinkIdentity from, long number) {
        network.deliver(from.id().slot(), process.node(), number);
    }

    @Override
    public void departed(LinkIdentity peer) {
        network.simulation().cover(LinkedNetwork.GOODBYE);
        soon(() -> events.departed(peer.id().slot()));
    }

    @Override
    public void excluded(LinkIdentity by) {
        network.simulation().cover(LinkedNetwork.EXCLUDED);
        soon(() -> events.excluded(by.id().slot()));
    }

    @Override
    public void lost(LinkIdentity peer) {
        reportApart(peer.id().slot());
    }

    boolean hasMarked(int slot) {
        return host.linkToSlot(slot).hasMarked();
    }

    /**
     * This process and a peer may not reach each other. If that is so one timeout later, {@link LinkedEvents#apart} is
     * called (rule J3).
     */
    void reportApart(int slot) {
        long foundNs = network.simulation().nowNs() + LinkWorld.TIMING.detectorTimeoutNs();
        network.simulation().faultAt(foundNs, () -> {
            if (network.areApart(process.node(), slot)) {
                events.apart(slot);
            }
        });
    }

    /** Does nothing: the simulation asks again and again whether the process has left. */
    @Override
    public void hasLeft() {}
}
