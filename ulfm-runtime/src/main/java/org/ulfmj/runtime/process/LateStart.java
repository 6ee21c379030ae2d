package org.ulfmj.runtime.process;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.nio.channels.ServerSocketChannel;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.ulfmj.agree.Rehearsal;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.rendezvous.RendezvousClient;
import org.ulfmj.runtime.RankRehearsal;
import org.ulfmj.runtime.RankRuntime;

/**
 * Prepares a rank for the death of another one, a moment after its start: not before, because a short program should
 * not pay for it, and until then the launcher sees every death. It opens the lifelines, rehearses a death once, and
 * opens the ways that its news would take. It runs in a daemon thread, so that no process waits for it at its end.
 */
final class LateStart implements Runnable {
    private static final long DELAY_NS = 500_000_000;

    private final RankRuntime runtime;
    private final Runnable lifelines;
    private final List<ProcessId> neighbours;

    private LateStart(RankRuntime runtime, Runnable lifelines, List<ProcessId> neighbours) {
        this.runtime = runtime;
        this.lifelines = lifelines;
        this.neighbours = neighbours;
    }

    /**
     * @param lifelines opens them; called under the engine lock unless the rank is over
     * @param neighbours on this host, to whom this rank passes on news, or will after the first death
     */
    static void begin(RankRuntime runtime, Runnable lifelines, List<ProcessId> neighbours) {
        Thread thread = new Thread(null, new LateStart(runtime, lifelines, neighbours), "ulfm-late-start");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void run() {
        LockSupport.parkNanos(DELAY_NS);
        if (runtime.isOver()) {
            return;
        }
        if (loadUnixSockets()) {
            runtime.whileRunning(lifelines);
        }
        runtime.wake();
        Rehearsal.play();
        RankRehearsal.play();
        RendezvousClient.rehearseDeath();
        for (ProcessId neighbour : neighbours) {
            runtime.prepare(neighbour);
        }
    }

    /**
     * Opens a Unix socket once. For the first of them the platform loads its security providers: 20 ms, in which no
     * call should wait for the engine lock. Returns whether this virtual machine can have any: if no descriptor is free
     * at that moment it never can.
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
