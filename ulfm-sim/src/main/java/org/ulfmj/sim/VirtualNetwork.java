package org.ulfmj.sim;

import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;

/**
 * Links between processes: each ordered pair is a first-in first-out line with seeded delays. Nothing is lost between
 * running processes; of what an ended one had on its way a seeded suffix of each line may be lost.
 *
 * @param <A> address
 * @param <M> message
 */
public final class VirtualNetwork<A, M> {
    /** Takes what arrives. */
    @FunctionalInterface
    interface Receiver<A, M> {
        void receive(A from, M message);
    }

    private final Simulation world;
    private final LinkDelays delays;
    private final Predicate<M> background;
    private final ToIntFunction<A> nodeOf;
    private final IntFunction<A> addressOf;
    private final SeededRandom random;
    private final Map<Integer, Receiver<A, M>> receivers = new TreeMap<>();
    private final Map<Integer, Map<Integer, Link>> linksBySender = new TreeMap<>();
    private int foregroundInFlight;

    /**
     * @param background messages that never stop, heartbeats: they do not keep a schedule from ending, and no crash is
     *     counted in them
     */
    public VirtualNetwork(
            Simulation world,
            LinkDelays delays,
            Predicate<M> background,
            ToIntFunction<A> nodeOf,
            IntFunction<A> addressOf) {
        this.world = world;
        this.delays = delays;
        this.background = background;
        this.nodeOf = nodeOf;
        this.addressOf = addressOf;
        this.random = world.random("network losses");
        world.add(this);
    }

    public boolean isBackground(M message) {
        return background.test(message);
    }

    public A addressOf(int node) {
        return addressOf.apply(node);
    }

    public int nodeOf(A address) {
        return nodeOf.applyAsInt(address);
    }

    public LinkDelays delays() {
        return delays;
    }

    /** Number of messages on their way that are not background. */
    public int foregroundInFlight() {
        return foregroundInFlight;
    }

    void attach(int node, Receiver<A, M> receiver) {
        receivers.put(node, receiver);
    }

    /** The process reads nothing any more; what is on its way to it vanishes on arrival. */
    void detach(int node) {
        receivers.remove(node);
    }

    void send(int from, A to, M message) {
        link(from, nodeOf(to)).send(message);
    }

    /** The sender has ended: a seeded suffix of each of its lines vanishes. */
    void loseTails(int from) {
        for (Link link : linksBySender.getOrDefault(from, Map.of()).values()) {
            link.loseTail();
        }
    }

    /** Makes everything that is on its way from one process to another arrive now, before anything scheduled later. */
    public void hurry(int from, int to) {
        Map<Integer, Link> links = linksBySender.get(from);
        Link link = links == null ? null : links.get(to);
        if (link != null) {
            for (int i = link.inFlight.size(); i > 0; i--) {
                world.at(world.nowNs(), link);
            }
        }
    }

    private Link link(int from, int to) {
        return linksBySender
                .computeIfAbsent(from, node -> new LinkedHashMap<>())
                .computeIfAbsent(to, node -> new Link(from, node, delays.drawFactor()));
    }

    /** One line; run as an event it delivers its head. An event that finds the line empty comes after a loss or a hurry. */
    private final class Link implements Runnable {
        private final int from;
        private final int to;
        private final int factor;
        private final ArrayDeque<M> inFlight = new ArrayDeque<>();
        private long lastArrivalNs;

        Link(int from, int to, int factor) {
            this.from = from;
            this.to = to;
            this.factor = factor;
        }

        void send(M message) {
            lastArrivalNs = Math.max(lastArrivalNs + 1, world.nowNs() + delays.drawNs(factor));
            inFlight.add(message);
            foregroundInFlight += isBackground(message) ? 0 : 1;
            world.at(lastArrivalNs, this);
        }

        void loseTail() {
            int lost = random.chance(50) ? 0 : random.below(inFlight.size() + 1);
            for (; lost > 0; lost--) {
                foregroundInFlight -= isBackground(inFlight.removeLast()) ? 0 : 1;
            }
        }

        @Override
        public void run() {
            M message = inFlight.poll();
            if (message == null) {
                return;
            }
            foregroundInFlight -= isBackground(message) ? 0 : 1;
            Receiver<A, M> receiver = receivers.get(to);
            if (receiver != null) {
                receiver.receive(addressOf(from), message);
            }
        }
    }
}
