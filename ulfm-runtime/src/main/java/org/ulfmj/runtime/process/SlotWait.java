package org.ulfmj.runtime.process;

import java.io.IOException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.Selector;
import java.util.List;
import org.ulfmj.agree.Rehearsal;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.rendezvous.client.ClientListener;
import org.ulfmj.rendezvous.client.RendezvousClient;
import org.ulfmj.rendezvous.message.OutReason;
import org.ulfmj.rendezvous.rounds.Joiner;
import org.ulfmj.runtime.RankRehearsal;
import org.ulfmj.runtime.office.RankOffice;
import org.ulfmj.runtime.options.Options;
import org.ulfmj.transport.MemberRecord;
import org.ulfmj.transport.tcp.NameWait;

/**
 * The wait of a process of an elastic job that has joined, has no slot, and waits for a world that runs (G10). The
 * first member that connects to it gives it its name; or the world that it waits for ends, and the process gets a slot
 * in the next one. Everything that takes a virtual machine long is done before, so that the process is let in within
 * milliseconds.
 *
 * <p>The wait ends this process where it is not needed: if the job ends, or if the launcher is lost: at once, or, where
 * orphans continue, if no member connects within {@code ulfm.rdzv.join}.
 */
final class SlotWait implements ClientListener {
    private final int child;
    private final Options options;
    private final RendezvousClient client;
    private final NameWait port;
    /** The office for which this process is a candidate; null where the launcher alone is the coordinator. */
    private final RankOffice office;
    /** The time at which the wait without a launcher ends; {@link Long#MAX_VALUE} while the launcher is there. */
    private long aloneUntilNs = Long.MAX_VALUE;

    /**
     * @param child the number by which the launcher knows this process
     * @param office the office for which this process is a candidate; null where the launcher alone is the coordinator
     */
    SlotWait(int child, Options options, RendezvousClient client, NameWait port, RankOffice office) {
        this.child = child;
        this.options = options;
        this.client = client;
        this.port = port;
        this.office = office;
    }

    /**
     * Waits for the name of this process and returns it. An interrupt does not end the wait; the thread's interrupt
     * flag is kept.
     */
    ProcessId await() throws IOException {
        ProcessId name = awaitName();
        client.beginAnew();
        return name;
    }

    private ProcessId awaitName() throws IOException {
        LateStart.loadUnixSockets();
        Rehearsal.play(Rehearsal.WITHOUT_REST);
        RankRehearsal.play(Rehearsal.WITHOUT_REST);
        boolean interrupted = Thread.interrupted();
        Selector selector = Selector.open();
        try {
            port.begin(selector);
            while (true) {
                long nowNs = System.nanoTime();
                client.poll(nowNs, this);
                if (!client.me().id().equals(Joiner.NAMELESS)) {
                    // This process runs in the next world, which all members of that world have confirmed.
                    return client.me().id();
                }
                endIfAlone(nowNs);
                endIfOver();
                // A process that has told the launcher that it does not run may get a slot in another world, so it
                // takes no name from a member.
                ProcessId name = client.mayBeAdmitted() ? port.poll(nowNs) : null;
                if (name != null) {
                    client.named();
                    return name;
                }
                sleep(selector);
                interrupted |= Thread.interrupted();
            }
        } finally {
            selector.close();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void sleep(Selector selector) throws IOException {
        SelectableChannel channel = client.channel();
        if (channel != null && channel.isOpen()) {
            channel.register(selector, client.operations());
        }
        long untilNs = Math.min(Math.min(client.nextDeadlineNs(), port.nextDeadlineNs()), aloneUntilNs);
        if (untilNs == Long.MAX_VALUE) {
            selector.select();
        } else {
            selector.select(Math.max(1, (untilNs - System.nanoTime()) / 1_000_000));
        }
        selector.selectedKeys().clear();
    }

    private void endIfAlone(long nowNs) {
        if (aloneUntilNs != Long.MAX_VALUE && nowNs - aloneUntilNs >= 0) {
            ProcessEnd.notNeeded(
                    child,
                    "mpiexec is gone, and no rank has called grow() for " + options.joinTimeoutNs() / 1_000_000
                            + " ms (ulfm.rdzv.join)");
        }
    }

    /** The last coordinator may have ended before it could tell this process that the job is over. */
    private void endIfOver() {
        if (office != null && office.isJobOver()) {
            ProcessEnd.notNeeded(child, "the job is over");
        }
    }

    /**
     * Ends the candidacy of this process for the office of coordinator. If the launcher is dead, the last process that
     * has the office deletes the keys of the job from etcd.
     */
    private void endOffice() {
        if (office != null) {
            office.finish();
        }
    }

    @Override
    public void onOut(OutReason reason, String text) {
        endOffice();
        if (reason == OutReason.GONE_ON || reason == OutReason.CLOSED) {
            ProcessEnd.notNeeded(child, text);
        } else {
            ProcessEnd.fenced(child, text);
        }
    }

    @Override
    public void onFence(String reason) {
        endOffice();
        ProcessEnd.fenced(child, reason);
    }

    @Override
    public void onAbort(int code, String reason) {
        if (office != null) {
            office.endSoon();
        }
        ProcessEnd.aborted(code);
    }

    /** J2: answers that this process is there; it has no complaints, and no process complains of it. */
    @Override
    public void onAreYouThere(long question, List<ProcessId> complainers) {
        client.here(question);
    }

    @Override
    public void onGathered(List<MemberRecord> members) {
        // The client knows the slot.
    }

    @Override
    public void onDeath(ProcessId process, String reason) {
        // When this process is let in, the launcher tells it which processes are dead then.
    }

    @Override
    public void onDeparted(ProcessId process) {
        // As for a death.
    }

    @Override
    public void onLauncherLost(String reason) {
        if (!options.doOrphansContinue()) {
            ProcessEnd.orphaned(child, reason);
        }
        aloneUntilNs = System.nanoTime() + options.joinTimeoutNs();
    }
}
