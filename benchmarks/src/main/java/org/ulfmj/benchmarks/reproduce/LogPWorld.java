package org.ulfmj.benchmarks.reproduce;

import java.util.function.IntConsumer;
import java.util.function.ToIntFunction;
import org.ulfmj.sim.EventQueue;

/**
 * A network in virtual time that charges the LogP costs. Each rank has one processor, which sends, receives and
 * computes, one at a time, in the order in which messages arrive. Nothing is random: messages that arrive at one
 * instant are taken in the order in which the simulation scheduled them. The gap belongs to the network interface.
 * Where ranks share an interface, it keeps their messages in a queue.
 *
 * <p>Times are nanoseconds from 0, as doubles: calibrated costs are no whole numbers.
 *
 * @param <M> message
 */
public final class LogPWorld<M> {
    /** The action of a rank on a message. It may {@link LogPWorld#send} and {@link LogPWorld#compute}. */
    @FunctionalInterface
    public interface Receiver<M> {
        void receive(int rank, int from, M message);
    }

    private static final int LOCAL = -1;

    private final Network network;
    private final ToIntFunction<M> sizeOf;
    private final Receiver<M> receiver;

    private final double[] freeNs;
    private final int ranksPerInterface;
    private final double[] nextSendNs;
    private final double[] nextReceiptNs;
    private final boolean[] dead;

    /**
     * The queue of events. It sorts by whole numbers, so it is given the bits of a time: doubles from 0 on sort as
     * their bits.
     */
    private final EventQueue queue = new EventQueue();

    private int running = LOCAL;
    private long messages;
    private long largestBytes;

    /**
     * @param sizeOf bytes of a message; 0 where the length is to take no time
     * @param receiver takes the messages that arrive at any rank that was not killed
     */
    public LogPWorld(int ranks, Network network, ToIntFunction<M> sizeOf, Receiver<M> receiver) {
        this.network = network;
        this.sizeOf = sizeOf;
        this.receiver = receiver;
        this.freeNs = new double[ranks];
        this.ranksPerInterface = network.ranksPerInterface();
        this.nextSendNs = new double[ranks];
        this.nextReceiptNs = new double[ranks];
        this.dead = new boolean[ranks];
    }

    /** Lets a rank take a step at the time {@code timeNs}, or later as soon as its processor is free. */
    public void at(double timeNs, int rank, IntConsumer step) {
        schedule(timeNs, () -> step(queueNs(), rank, step));
    }

    /**
     * Sends a message from the rank that runs. The processor of that rank is busy for o; where no other rank shares its
     * interface, it may first wait for the gap.
     */
    public void send(int to, M message) {
        int from = requireRunning();
        LogP costs = network.between(from, to);
        messages++;
        if (isWithinANode(from, to)) {
            freeNs[from] += costs.overheadNs();
            arrive(freeNs[from] + costs.latencyNs() + costs.perByteNs() * sizeOf(message), from, to, message);
        } else if (ranksPerInterface > 1) {
            freeNs[from] += costs.overheadNs();
            schedule(freeNs[from], () -> leave(queueNs(), from, to, message));
        } else {
            // No other rank uses this interface, so the processor itself waits for the gap.
            freeNs[from] = Math.max(freeNs[from], nextSendNs[from] - costs.overheadNs()) + costs.overheadNs();
            leave(freeNs[from], from, to, message);
        }
    }

    private void leave(double timeNs, int from, int to, M message) {
        LogP costs = network.between(from, to);
        int node = from / ranksPerInterface;
        double startNs = Math.max(timeNs, nextSendNs[node]);
        double perBytesNs = costs.perByteNs() * sizeOf(message);
        nextSendNs[node] = startNs + Math.max(costs.gapNs(), perBytesNs);
        arrive(startNs + costs.latencyNs() + perBytesNs, from, to, message);
    }

    private void arrive(double timeNs, int from, int to, M message) {
        schedule(timeNs, () -> receive(queueNs(), from, to, message));
    }

    private boolean isWithinANode(int from, int to) {
        return ranksPerInterface > 1 && from / ranksPerInterface == to / ranksPerInterface;
    }

    private int sizeOf(M message) {
        int bytes = sizeOf.applyAsInt(message);
        largestBytes = Math.max(largestBytes, bytes);
        return bytes;
    }

    /** Lets the rank that runs compute for this long. */
    public void compute(double ns) {
        freeNs[requireRunning()] += ns;
    }

    /** The time at the rank that runs, after all its work so far. */
    public double nowNs() {
        return freeNs[requireRunning()];
    }

    /** Kills a rank: it takes no message and no step any more. Messages that it has sent still arrive. */
    public void kill(int rank) {
        dead[rank] = true;
    }

    /** Runs until no message and no step is left. Returns the virtual time at which the last processor became idle. */
    public double run() {
        while (!queue.isEmpty()) {
            queue.runNext();
        }
        double lastNs = 0;
        for (double ns : freeNs) {
            lastNs = Math.max(lastNs, ns);
        }
        return lastNs;
    }

    /** Messages sent so far. */
    public long messages() {
        return messages;
    }

    /** Size of the largest message sent so far. */
    public long largestBytes() {
        return largestBytes;
    }

    private void receive(double timeNs, int from, int rank, M message) {
        if (dead[rank]) {
            return;
        }
        running = rank;
        LogP costs = network.between(from, rank);
        double readyNs = isWithinANode(from, rank) ? timeNs : passInterface(timeNs, rank, costs);
        freeNs[rank] = Math.max(freeNs[rank], readyNs) + costs.overheadNs();
        receiver.receive(rank, from, message);
        running = LOCAL;
    }

    private void step(double timeNs, int rank, IntConsumer step) {
        if (dead[rank]) {
            return;
        }
        running = rank;
        freeNs[rank] = Math.max(freeNs[rank], timeNs);
        step.accept(rank);
        running = LOCAL;
    }

    private void schedule(double timeNs, Runnable event) {
        queue.at(Double.doubleToRawLongBits(timeNs), event);
    }

    private double queueNs() {
        return Double.longBitsToDouble(queue.nowNs());
    }

    private double passInterface(double timeNs, int rank, LogP costs) {
        int node = rank / ranksPerInterface;
        double readyNs = Math.max(timeNs, nextReceiptNs[node]);
        nextReceiptNs[node] = readyNs + costs.gapNs();
        return readyNs;
    }

    private int requireRunning() {
        if (running == LOCAL) {
            throw new IllegalStateException("no rank runs: send and compute belong into a step of a rank");
        }
        return running;
    }
}
