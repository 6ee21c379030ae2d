package org.ulfmj.runtime.process;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.nio.channels.ServerSocketChannel;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.ulfmj.agree.Rehearsal;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.rendezvous.client.RendezvousClient;
import org.ulfmj.runtime.RankRehearsal;
import org.ulfmj.runtime.RankRuntime;

/**
 * Prepares a rank for the death of another one, a moment after its start: not before, because a short program should
 * not pay for it. Where a rank survives failures, it opens the lifelines and the connections on which this rank would
 * pass on the news of a death, and rehearses a death once. At last it begins to handle the signal by which batch
 * systems announce the end of a job's time. It runs in a daemon thread, so that the end of the process does not wait
 * for it.
 *
 * <p>The rehearsal brings second classes to places where a program meets one class only. So it comes before the
 * just-in-time compilers have seen much: what they compile afterwards allows for both, and what they had compiled
 * before would have to be compiled anew. Where ranks exceed cores it comes later, because all of them are still
 * starting up.
 */
final class LateStart implements Runnable {
    private static final long DELAY_NS = 30_000_000;
    private static final long CROWDED_DELAY_NS = 500_000_000;
    /** How long a rehearsal works, at least, before it lets the program have the core for a moment. */
    private static final long WORK_NS = 800_000;

    private static final long REST_NS = 1_000_000;

    private final RankRuntime runtime;
    private final Runnable lifelines;
    private final List<ProcessId> neighbours;
    private final long delayNs;

    private LateStart(RankRuntime runtime, Runnable lifelines, List<ProcessId> neighbours, long delayNs) {
        this.runtime = runtime;
        this.lifelines = lifelines;
        this.neighbours = neighbours;
        this.delayNs = delayNs;
    }

    /**
     * Starts the thread.
     *
     * @param lifelines opens the lifelines; called under the engine lock unless the rank is over; null where no rank
     *     survives a failure
     * @param neighbours the processes on this host to which this rank passes on news, or will after the first death
     * @param crowded whether this host has more ranks than cores
     */
    static void begin(RankRuntime runtime, Runnable lifelines, List<ProcessId> neighbours, boolean crowded) {
        long delayNs = crowded ? CROWDED_DELAY_NS : DELAY_NS;
        Thread thread = new Thread(null, new LateStart(runtime, lifelines, neighbours, delayNs), "ulfm-late-start");
        thread.setDaemon(true);
        thread.start();
    }

    /** As the other {@code begin}, where no rank survives a failure: the thread only begins to handle the signal. */
    static void begin(RankRuntime runtime, boolean crowded) {
        begin(runtime, null, List.of(), crowded);
    }

    @Override
    public void run() {
        LockSupport.parkNanos(delayNs);
        if (runtime.isOver()) {
            return;
        }
        if (lifelines != null) {
            prepareForADeath();
        }
        RawSignal.watch(runtime);
    }

    private void prepareForADeath() {
        if (loadUnixSockets()) {
            runtime.whileRunning(lifelines);
        }
        runtime.wake();
        Rest rest = new Rest();
        for (ProcessId neighbour : neighbours) {
            rest.run();
            runtime.prepare(neighbour);
        }
        Rehearsal.play(rest);
        RankRehearsal.play(rest);
        RendezvousClient.rehearseDeath();
    }

    /**
     * Lets the program have the core between two parts of a rehearsal. A program whose ranks exchange messages would
     * notice a delay of tens of milliseconds; it does not notice delays below a millisecond.
     */
    private static final class Rest implements Runnable {
        private long begunNs = System.nanoTime();

        @Override
        public void run() {
            if (System.nanoTime() - begunNs > WORK_NS) {
                LockSupport.parkNanos(REST_NS);
                begunNs = System.nanoTime();
            }
        }
    }

    /**
     * Opens a Unix socket once. For the first of them the platform loads its security providers: that takes 20 ms,
     * during which no call should wait for the engine lock. Returns whether this virtual machine can have Unix sockets
     * at all: if no descriptor is free at that moment it never can.
     */
    static boolean loadUnixSockets() {
        try (ServerSocketChannel any = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            return any.isOpen();
        } catch (IOException noneNow) {
            return true; // what needs one will say so
        } catch (LinkageError noneEver) {
            return false;
        }
    }
}
