package org.ulfmj.check.rendezvous.elected;

import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.IntPredicate;
import org.ulfmj.protocol.Outbox;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.rendezvous.RendezvousCore;
import org.ulfmj.rendezvous.RunSpec;
import org.ulfmj.rendezvous.elect.ElectionKeys;
import org.ulfmj.rendezvous.message.RendezvousMessage;
import org.ulfmj.sim.SimProcess;
import org.ulfmj.sim.Simulation;

/**
 * A candidate for the office of coordinator in a job whose world grows. It starts no process, and knows processes by
 * their nonces, since their names change.
 */
final class GrowingCoordinator extends Coordinator {
    private final BiConsumer<Integer, String> killer;
    private final IntPredicate hasNote;
    /** The nodes of the processes whose end this candidate has seen. */
    private final SortedSet<Integer> endedNodes = new TreeSet<>();

    private boolean isLastCallOver;
    private boolean isClosed;

    /**
     * @param killer ends the process of a node, for a reason
     * @param hasNote whether the process of a node has noted on the host that it has finalized
     */
    GrowingCoordinator(
            Simulation world,
            RunSpec run,
            boolean isLauncher,
            ElectionKeys keys,
            SimProcess<Integer, Line> process,
            Etcd etcd,
            Witness witness,
            BiConsumer<Integer, String> killer,
            IntPredicate hasNote) {
        super(world, run, isLauncher, keys, process, etcd, witness, next -> {}, (silent, reason) -> {});
        this.killer = killer;
        this.hasNote = hasNote;
    }

    /** This candidate sees that a process has ended. */
    void learnOfEnd(int node) {
        process().input("told of the end of", node, null, (nowNs, out) -> {
            endedNodes.add(node);
            step(nowNs, out);
        });
    }

    /** Ends the last call, as a launcher does once all processes that it has started have joined. */
    void endLastCall() {
        process().input("ends the last call", Etcd.NODE, null, (nowNs, out) -> {
            isLastCallOver = true;
            step(nowNs, out);
        });
    }

    /** The launcher closes the gathering for good. */
    void closeRendezvous() {
        process().input("closes", Etcd.NODE, null, (nowNs, out) -> {
            isClosed = true;
            step(nowNs, out);
        });
    }

    /** Whether this launcher has closed the gathering. */
    boolean isClosed() {
        return isClosed;
    }

    @Override
    void tell(RendezvousCore present, long atNs, Outbox<Long, RendezvousMessage> messages) {
        for (int node : endedNodes) {
            ProcessId name = present.nameOf(node);
            if (name != null && hasNote.test(node)) {
                present.onEndedFinalized(name, "ended", atNs, messages);
            } else if (name != null) {
                present.onEnded(name, "ended", atNs, messages);
            }
        }
        if (isLastCallOver) {
            isLastCallOver = false;
            present.onAllStartedJoined(atNs, messages);
        }
        if (isClosed) {
            present.onClose("the job is over", messages);
        }
    }

    @Override
    void kill(ProcessId silent, long nonce, String reason) {
        killer.accept((int) nonce, reason);
    }
}
