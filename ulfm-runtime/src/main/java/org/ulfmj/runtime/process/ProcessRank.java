package org.ulfmj.runtime.process;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.ulfmj.detector.Evidence;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.rendezvous.RendezvousClient;
import org.ulfmj.runtime.RankHooks;
import org.ulfmj.runtime.RankRuntime;
import org.ulfmj.transport.MemberRecord;
import org.ulfmj.transport.tcp.TcpFabric;

/**
 * Stands between a rank and what is around its process: tells the launcher what the rank has to report, and the rank what
 * the launcher pushes and {@code /proc} proves; ends the process where it must end. Under the engine lock.
 */
final class ProcessRank implements RankHooks, EvidenceWatch.Proof, EvidenceWatch.Lifelines {
    private final ProcessId me;
    private final Path socket;
    private final RendezvousClient client;
    private final TcpFabric fabric;
    private final boolean orphansContinue;
    private final EvidenceWatch evidence;
    private final BrokenLinks broken;

    /**
     * Null until it is made, and it calls these hooks before whoever makes it can hand it over. Set after the two below,
     * which are there for whoever sees it.
     */
    private volatile RankRuntime runtime;

    private LauncherNews news;
    private LauncherLine launcher;
    private boolean begun;

    /**
     * @param table all members in slot order
     * @param timeoutNs of the detector
     */
    ProcessRank(
            MemberRecord me,
            List<MemberRecord> table,
            RendezvousClient client,
            TcpFabric fabric,
            long timeoutNs,
            boolean orphansContinue) {
        this.me = me.id();
        this.socket = Path.of(me.socketPath());
        this.client = client;
        this.fabric = fabric;
        this.orphansContinue = orphansContinue;
        this.evidence = new EvidenceWatch(me, table, this);
        this.broken = new BrokenLinks(timeoutNs);
    }

    /** What opens lifelines to these, when it is run under the engine lock. */
    Runnable lifelinesTo(List<ProcessId> neighbours) {
        return new Runnable() {
            @Override
            public void run() {
                openLifelines(neighbours);
            }
        };
    }

    private void openLifelines(List<ProcessId> neighbours) {
        try {
            fabric.listenForLifelines(socket);
        } catch (IOException refused) {
            // The job directory is gone, or no file descriptor is left: heartbeats and the launcher tell of deaths.
            return;
        }
        fabric.openLifelines(neighbours);
        evidence.awaitLifelines(neighbours);
    }

    @Override
    public boolean stands(ProcessId peer) {
        return fabric.hasLifeline(peer);
    }

    /** Any thread. */
    void begin(RankRuntime made) {
        news = new LauncherNews(me, made, evidence, orphansContinue, client);
        launcher = new LauncherLine(client, fabric, news);
        runtime = made;
        made.wake();
    }

    @Override
    public void onSeatPoll(long nowNs) {
        if (runtime == null) {
            return;
        }
        if (!begun || launcher.isDue(nowNs)) {
            // At first because news may have come with the table; the selector would not tell.
            begun = true;
            launcher.poll(nowNs);
        }
        evidence.poll(nowNs, this);
        for (ProcessId process : broken.takeDue(nowNs)) {
            onUnreachable(process);
        }
    }

    @Override
    public long nextDeadlineNs() {
        return runtime == null
                ? Long.MAX_VALUE
                : Math.min(launcher.nextDeadlineNs(), Math.min(evidence.nextDeadlineNs(), broken.nextDeadlineNs()));
    }

    /** The launcher decides which of the two ends; without it the higher slot knows that it is the one. */
    private void onUnreachable(ProcessId process) {
        if (!news.isLauncherLost()) {
            launcher.unreachable(process);
        } else if (me.slot() > process.slot()) {
            runtime.onFence("rank " + process + " can not be reached, and there is no mpiexec to decide");
        }
    }

    /** Proven on this host. */
    @Override
    public void onEnded(ProcessId process, String reason) {
        runtime.onEvidence(process, new Evidence(Evidence.Kind.CERTAIN, me, reason));
    }

    @Override
    public void onFenced(String reason) {
        ProcessEnd.fenced(me, reason);
    }

    @Override
    public void onAbort(int code, String reason) {
        if (runtime != null) {
            launcher.abort(code, reason);
            ProcessEnd.letOthersHear();
        }
        ProcessEnd.aborted(code);
    }

    @Override
    public void onBroken(Throwable cause) {
        ProcessEnd.broken(me, cause);
    }

    @Override
    public void onFaultPoint(int rule) {
        if (runtime != null) {
            launcher.standAt(rule);
        }
        ProcessEnd.killed();
    }

    @Override
    public void onFailed(ProcessId process, Evidence why) {
        onGone(process);
    }

    @Override
    public void onDeparted(ProcessId process) {
        onGone(process);
    }

    private void onGone(ProcessId process) {
        evidence.onGone(process);
        broken.onGone(process);
    }

    @Override
    public void onGoodbye(SlotSet failed) {
        launcher.goodbye(failed);
    }

    @Override
    public boolean isGoodbyeHeard() {
        return launcher.isGoodbyeHeard();
    }

    @Override
    public void onLifelineLost(ProcessId process) {
        evidence.onLifelineLost(process);
    }

    @Override
    public void onLinkBroken(ProcessId process) {
        broken.onBroken(process, System.nanoTime());
    }

    @Override
    public void onLinkRestored(ProcessId process) {
        broken.onRestored(process);
    }
}
