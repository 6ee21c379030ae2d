package org.ulfmj.sim;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.function.ToIntFunction;

/**
 * Links between processes: each stream of an ordered pair is a first-in first-out line with seeded delays. Nothing is
 * lost between running processes, unless their link is cut for ever; when a process ends, a seeded suffix of each of
 * its lines may be lost, and all that a cut holds. A {@link Carrier} can take the place of the lines.
 *
 * @param <A> address
 * @param <M> message
 */
public final class VirtualNetwork<A, M> {
    /** Takes the messages that arrive at one process. */
    @FunctionalInterface
    interface Receiver<A, M> {
        void receive(A from, M message);
    }

    private static final int MAX_STREAMS = 8;
    private static final long FOR_EVER_NS = Long.MAX_VALUE;

    private final Simulation world;
    private final LinkDelays delays;
    private final MessageTraits<M> traits;
    private final ToIntFunction<A> nodeOf;
    private final IntFunction<A> addressOf;
    private final SeededRandom random;
    private final List<Receiver<A, M>> receivers = new ArrayList<>();

    /**
     * The links by the number of their sender. The links of one sender are by receiver and stream, in the order of
     * their first use.
     */
    private final List<Map<Integer, Link>> linksBySender = new ArrayList<>();

    private int foregroundInFlight;
    private final Map<Long, Long> cutsUntilNs = new TreeMap<>();
    private int repeatPercent;
    private Carrier<M> carrier;

    /** @param nodeOf gives the number of a process from its address */
    public VirtualNetwork(
            Simulation world,
            LinkDelays delays,
            MessageTraits<M> traits,
            ToIntFunction<A> nodeOf,
            IntFunction<A> addressOf) {
        this.world = world;
        this.delays = delays;
        this.traits = traits;
        this.nodeOf = nodeOf;
        this.addressOf = addressOf;
        this.random = world.random("network losses");
        world.add(this);
    }

    /** Sends messages by a carrier from now on; the lines of this network take no new messages any more. */
    public void goOver(Carrier<M> other) {
        carrier = other;
    }

    public boolean isBackground(M message) {
        return traits.isBackground(message);
    }

    long digest(M message) {
        return traits.digest(message);
    }

    int sortOf(M message) {
        return traits.sortOf(message);
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

    /** Returns the number of messages on their way that are not background. */
    public int foregroundInFlight() {
        return carrier == null ? foregroundInFlight : carrier.foregroundInFlight();
    }

    /**
     * Lets the carrier, if there is one, make a process leave, or continue to leave if it does so already. Returns what
     * {@link Carrier#leave} returns; without a carrier, whether no foreground message of the process is on its way.
     */
    public boolean leave(int from) {
        if (carrier != null) {
            return carrier.leave(from);
        }
        for (Link link : linksOf(from).values()) {
            for (M message : link.inFlight) {
                if (!isBackground(message)) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Tells the carrier, if there is one, that a process has marked another one failed. */
    public void marked(int by, int about) {
        if (carrier != null) {
            carrier.marked(by, about);
        }
    }

    /** Lets the carrier, if there is one, hand over, at the process {@code at}, all that has come from a dead one. */
    public void readOut(int dead, int at) {
        if (carrier != null) {
            carrier.readOut(dead, at);
        }
    }

    void attach(int node, Receiver<A, M> receiver) {
        while (receivers.size() <= node) {
            receivers.add(null);
        }
        receivers.set(node, receiver);
    }

    /** Makes a process receive no more messages. Messages on their way to it vanish on arrival. */
    void detach(int node) {
        receivers.set(node, null);
    }

    void send(int from, A to, M message) {
        if (carrier != null) {
            carrier.send(from, nodeOf(to), traits.carry(message));
        } else {
            link(from, nodeOf(to), traits.streamOf(message)).send(traits.carry(message));
        }
    }

    /** Hands over a message that has arrived. The message vanishes if its receiver has ended or does not exist. */
    public void deliver(int from, int to, M message) {
        Receiver<A, M> receiver = to < receivers.size() ? receivers.get(to) : null;
        if (receiver != null) {
            receiver.receive(addressOf(from), message);
        }
    }

    /**
     * Tells the carrier, if there is one, that a sender has ended. Drops a seeded suffix, which may be empty, of each
     * of the sender's lines, and all that a cut holds.
     */
    void loseTails(int from) {
        if (carrier != null) {
            carrier.ended(from);
        }
        for (Link link : linksOf(from).values()) {
            link.loseTail();
        }
    }

    /** Makes all that is on its way in the lines from one process to another arrive now, unless a cut holds it. */
    public void hurry(int from, int to) {
        for (Link link : linksOf(from).values()) {
            for (int i = link.to == to ? link.inFlight.size() : 0; i > 0; i--) {
                world.at(world.nowNs(), link);
            }
        }
    }

    /**
     * From now on makes each message that {@link MessageTraits#mayRepeat may come twice} do so with a chance of
     * {@code percent} in a hundred, if there is no carrier.
     */
    public void repeat(int percent) {
        repeatPercent = percent;
    }

    /**
     * Makes one direction of a link carry nothing until a time. Messages that are on their way then, or are sent
     * meanwhile, arrive later, those of a stream in order, unless their sender ends before.
     */
    void hold(int from, int to, long untilNs) {
        if (carrier != null) {
            carrier.hold(from, to, untilNs);
        }
        cutsUntilNs.merge(direction(from, to), untilNs, Math::max);
    }

    /**
     * Makes one direction of a link carry nothing any more. Messages that are on their way in it are lost. A carrier
     * may do less ({@link Carrier#cut}).
     */
    void cut(int from, int to) {
        if (carrier != null) {
            carrier.cut(from, to);
            return;
        }
        hold(from, to, FOR_EVER_NS);
        for (Link link : linksOf(from).values()) {
            if (link.to == to) {
                link.lose(link.inFlight.size());
            }
        }
    }

    /** Returns until when a direction of a link carries nothing; 0 or a time in the past if it is not cut. */
    private long cutUntilNs(int from, int to) {
        return cutsUntilNs.isEmpty() ? 0 : cutsUntilNs.getOrDefault(direction(from, to), 0L);
    }

    private static long direction(int from, int to) {
        return (long) from << Integer.SIZE | to;
    }

    private Map<Integer, Link> linksOf(int from) {
        while (linksBySender.size() <= from) {
            linksBySender.add(new LinkedHashMap<>());
        }
        return linksBySender.get(from);
    }

    private Link link(int from, int to, int stream) {
        Map<Integer, Link> links = linksOf(from);
        Link link = links.get(to * MAX_STREAMS + stream);
        if (link == null) {
            link = new Link(from, to, delays.drawFactor());
            links.put(to * MAX_STREAMS + stream, link);
        }
        return link;
    }

    /**
     * One line: the messages of one stream from one process to another. As an event it delivers its first message, or
     * waits for the end of a cut. It may find itself empty then, as its messages were lost or hurried on before.
     */
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
            put(message);
            if (repeatPercent > 0 && traits.mayRepeat(message) && random.chance(repeatPercent)) {
                put(message);
            }
        }

        private void put(M message) {
            long cutUntilNs = cutUntilNs(from, to);
            if (cutUntilNs == FOR_EVER_NS) {
                return;
            }
            lastArrivalNs = Math.max(lastArrivalNs + 1, Math.max(cutUntilNs, world.nowNs()) + delays.drawNs(factor));
            inFlight.add(message);
            foregroundInFlight += isBackground(message) ? 0 : 1;
            world.at(lastArrivalNs, this);
        }

        /**
         * Loses a seeded suffix of the line. Messages that a cut holds are in the memory of their sender, and are lost
         * with it.
         */
        void loseTail() {
            int tail = random.chance(50) ? 0 : random.below(inFlight.size() + 1);
            lose(world.nowNs() < cutUntilNs(from, to) ? inFlight.size() : tail);
        }

        void lose(int messages) {
            for (int left = messages; left > 0; left--) {
                foregroundInFlight -= isBackground(inFlight.removeLast()) ? 0 : 1;
            }
        }

        @Override
        public void run() {
            long cutUntilNs = cutUntilNs(from, to);
            if (world.nowNs() < cutUntilNs && cutUntilNs != FOR_EVER_NS) {
                // The message was on its way when the link was cut: it arrives when the cut heals.
                world.at(cutUntilNs, this);
                return;
            }
            M message = inFlight.poll();
            if (message == null) {
                return;
            }
            foregroundInFlight -= isBackground(message) ? 0 : 1;
            deliver(from, to, message);
        }
    }
}
