package org.ulfmj.check.link;

import java.util.ArrayList;
import java.util.List;
import org.ulfmj.sim.Carrier;
import org.ulfmj.sim.SeededRandom;
import org.ulfmj.sim.SimProcess;
import org.ulfmj.sim.Simulation;
import org.ulfmj.sim.VirtualNetwork;

/**
 * The messages of a network over link sessions: each process has the shipped
 * {@link org.ulfmj.transport.session.LinkSession} with each other one, and dials when it has a message to send.
 * Attempts cross, paths are cut, connections are reset and lose unread messages, and marked processes are told so.
 *
 * @param <M> message
 */
public final class LinkedNetwork<M> implements Carrier<M> {
    /** Event of the coverage report: the connections between two processes, if there were any, were reset. */
    public static final String RESET = "a connection reset between two that run";

    /** Event of the coverage report: a process was told by a peer that the peer has marked it failed. */
    public static final String EXCLUDED = "a rank told over a session that it is marked";

    /** Event of the coverage report: a process received the goodbye of a peer that leaves. */
    public static final String GOODBYE = "a goodbye over a session";

    /** Event of the coverage report: a process refused a dial because the number of the dial was too low. */
    public static final String CROSSED = LinkWorld.CROSSED;

    private final Simulation simulation;
    private final VirtualNetwork<?, M> network;
    private final LinkWorld world;
    private final SeededRandom random;
    private final List<LinkedProcess<M>> processes = new ArrayList<>();

    /** @param longestDelayNs the longest time that a message takes over a connection while its path is not held up */
    public LinkedNetwork(Simulation simulation, VirtualNetwork<?, M> network, long unitNs, long longestDelayNs) {
        this.simulation = simulation;
        this.network = network;
        this.world = new LinkWorld(simulation, unitNs, longestDelayNs, false);
        this.random = simulation.random("resets");
        network.goOver(this);
    }

    /** Adds a process. Slots follow one another from 0. */
    public void add(SimProcess<?, ?> process, LinkedEvents events) {
        LinkHost host = world.join(processes.size());
        LinkedProcess<M> home = new LinkedProcess<>(this, host, process, events);
        host.liveIn(home);
        processes.add(home);
    }

    Simulation simulation() {
        return simulation;
    }

    /**
     * Whether the session between two slots does not work: one of the processes misses the other
     * ({@link LinkedProcess#misses}), or each process has marked the other failed.
     */
    boolean areApart(int one, int other) {
        boolean isMutual =
                processes.get(one).hasMarked(other) && processes.get(other).hasMarked(one);
        return isMutual
                || processes.get(one).misses(other)
                || processes.get(other).misses(one);
    }

    void deliver(int from, int to, long number) {
        network.deliver(from, to, processes.get(from).sentTo(to, number));
    }

    @Override
    public void send(int from, int to, M message) {
        processes.get(from).send(to, message);
    }

    @Override
    public void ended(int node) {
        processes.get(node).host().closeAll();
    }

    @Override
    public void marked(int by, int about) {
        processes.get(by).host().mark(about);
        if (processes.get(about).hasMarked(by)) {
            processes.get(by).reportApart(about);
        }
    }

    @Override
    public void readOut(int dead, int at) {
        processes.get(at).host().readOut(dead);
    }

    @Override
    public void hold(int from, int to, long untilNs) {
        world.paths().hold(from, to, untilNs);
    }

    /**
     * Breaks the path from one slot to another for good and cuts the connections between the two, or resets these
     * connections.
     */
    @Override
    public void cut(int from, int to) {
        if (random.chance(50)) {
            world.paths().cut(from, to);
            world.cutBetween(from, to);
        } else {
            simulation.cover(RESET);
            world.resetBetween(from, to);
        }
    }

    @Override
    public boolean leave(int node) {
        LinkHost host = processes.get(node).host();
        host.leave();
        return host.hasLeft();
    }

    @Override
    public int foregroundInFlight() {
        int count = 0;
        for (LinkedProcess<M> process : processes) {
            if (process.process().isRunning()) {
                count += process.count(message -> !network.isBackground(message));
            }
        }
        return count;
    }
}
