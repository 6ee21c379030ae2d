package org.ulfmj.benchmarks.reproduce;

import java.util.Arrays;
import java.util.function.IntConsumer;
import java.util.function.ToIntFunction;

/**
 * A network in virtual time that charges the LogP costs. Each rank has one processor, which sends, receives and
 * computes, one at a time, in the order in which messages arrive. Nothing is random: messages that arrive at one
 * instant are taken in the order in which they were sent. The gap belongs to the network interface. Where ranks share
 * an interface, it keeps their messages in a queue.
 *
 * <p>Made for worlds of a hundred thousand ranks: a message on its way takes some 30 bytes besides its contents, a rank
 * 25. Times are nanoseconds from 0, as doubles, because calibrated costs are no whole numbers.
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

    /**
     * An entry of the queue whose sender is coded as this number or a lower one is a message at the interface, not
     * under way yet.
     */
    private static final int LEAVING = -2;

    private final Network network;
    private final ToIntFunction<M> sizeOf;
    private final Receiver<M> receiver;

    private final double[] freeNs;
    private final int ranksPerInterface;
    private final double[] nextSendNs;
    private final double[] nextReceiptNs;
    private final boolean[] dead;

    private double[] timesNs = new double[1024];
    private long[] orders = new long[1024];
    private int[] senders = new int[1024];
    private int[] targets = new int[1024];
    private Object[] payloads = new Object[1024];
    private int size;
    private long scheduled;

    private int running = LOCAL;
    private long messages;
    private long largestBytes;

    /**
     * @param sizeOf bytes of a message; 0 where the length is to take no time
     * @param receiver takes the messages that arrive, at all ranks
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

    /** Lets a rank take a step at a time, or later as soon as its processor is free. */
    public void at(double timeNs, int rank, IntConsumer step) {
        push(timeNs, LOCAL, rank, step);
    }

    /** Sends a message from the rank that runs. Its processor is busy for o. */
    public void send(int to, M message) {
        int from = requireRunning();
        LogP costs = network.between(from, to);
        messages++;
        if (isWithinANode(from, to)) {
            freeNs[from] += costs.overheadNs();
            push(freeNs[from] + costs.latencyNs() + costs.perByteNs() * sizeOf(message), from, to, message);
        } else if (ranksPerInterface > 1) {
            freeNs[from] += costs.overheadNs();
            push(freeNs[from], LEAVING - from, to, message);
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
        push(startNs + costs.latencyNs() + perBytesNs, from, to, message);
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

    /** Kills a rank: it takes no message any more. */
    public void kill(int rank) {
        dead[rank] = true;
    }

    /** Runs until no message is on its way. Returns when the last processor became idle. */
    public double run() {
        while (size > 0) {
            runNext();
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

    @SuppressWarnings("unchecked") // an entry with a sender is a message, and one without is a step
    private void runNext() {
        double timeNs = timesNs[0];
        int from = senders[0];
        int rank = targets[0];
        Object payload = payloads[0];
        removeFirst();
        if (from <= LEAVING) {
            leave(timeNs, LEAVING - from, rank, (M) payload);
            return;
        }
        if (dead[rank]) {
            return;
        }
        running = rank;
        if (from == LOCAL) {
            freeNs[rank] = Math.max(freeNs[rank], timeNs);
            ((IntConsumer) payload).accept(rank);
        } else {
            LogP costs = network.between(from, rank);
            double readyNs = isWithinANode(from, rank) ? timeNs : passInterface(timeNs, rank, costs);
            freeNs[rank] = Math.max(freeNs[rank], readyNs) + costs.overheadNs();
            receiver.receive(rank, from, (M) payload);
        }
        running = LOCAL;
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

    private void push(double timeNs, int from, int to, Object payload) {
        if (size == payloads.length) {
            grow();
        }
        long order = scheduled++;
        int hole = size++;
        while (hole > 0) {
            int parent = (hole - 1) >>> 1;
            if (!isBefore(timeNs, order, parent)) {
                break;
            }
            move(parent, hole);
            hole = parent;
        }
        put(hole, timeNs, order, from, to, payload);
    }

    private void removeFirst() {
        size--;
        double timeNs = timesNs[size];
        long order = orders[size];
        int from = senders[size];
        int to = targets[size];
        Object payload = payloads[size];
        payloads[size] = null;
        int hole = 0;
        for (int child = 1; child < size; child = 2 * hole + 1) {
            if (child + 1 < size && isBefore(timesNs[child + 1], orders[child + 1], child)) {
                child++;
            }
            if (isBefore(timeNs, order, child)) {
                break;
            }
            move(child, hole);
            hole = child;
        }
        if (size > 0) {
            put(hole, timeNs, order, from, to, payload);
        }
    }

    private boolean isBefore(double timeNs, long order, int index) {
        return timeNs != timesNs[index] ? timeNs < timesNs[index] : order < orders[index];
    }

    private void move(int from, int to) {
        put(to, timesNs[from], orders[from], senders[from], targets[from], payloads[from]);
    }

    private void put(int index, double timeNs, long order, int from, int to, Object payload) {
        timesNs[index] = timeNs;
        orders[index] = order;
        senders[index] = from;
        targets[index] = to;
        payloads[index] = payload;
    }

    private void grow() {
        int capacity = 2 * size;
        timesNs = Arrays.copyOf(timesNs, capacity);
        orders = Arrays.copyOf(orders, capacity);
        senders = Arrays.copyOf(senders, capacity);
        targets = Arrays.copyOf(targets, capacity);
        payloads = Arrays.copyOf(payloads, capacity);
    }
}
