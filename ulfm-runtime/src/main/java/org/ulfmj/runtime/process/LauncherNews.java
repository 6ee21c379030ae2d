package org.ulfmj.runtime.process;

import java.util.List;
import org.ulfmj.detector.Evidence;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.rendezvous.client.ClientListener;
import org.ulfmj.rendezvous.client.RendezvousClient;
import org.ulfmj.rendezvous.message.OutReason;
import org.ulfmj.rendezvous.rounds.Joiner;
import org.ulfmj.runtime.RankRuntime;
import org.ulfmj.runtime.office.RankOffice;
import org.ulfmj.runtime.waits.WaitReport;
import org.ulfmj.runtime.waits.WaitReportCodec;
import org.ulfmj.transport.MemberRecord;

/** Passes the launcher's messages on to the rank, answers them, or ends this process. Under the engine lock. */
final class LauncherNews implements ClientListener {
    private final ProcessId me;
    private final RankRuntime runtime;
    private final EvidenceWatch evidence;
    private final boolean orphansContinue;
    private final RendezvousClient client;
    private final ComplaintSender complaints;
    /** The candidate for the office of coordinator; null where the launcher alone is the coordinator. */
    private final RankOffice office;

    private LauncherLine line;
    private boolean lost;

    LauncherNews(
            ProcessId me,
            RankRuntime runtime,
            EvidenceWatch evidence,
            boolean orphansContinue,
            RendezvousClient client,
            ComplaintSender complaints,
            RankOffice office) {
        this.me = me;
        this.runtime = runtime;
        this.evidence = evidence;
        this.orphansContinue = orphansContinue;
        this.client = client;
        this.complaints = complaints;
        this.office = office;
    }

    /** Sets the line over which this class answers questions that it cannot answer at once. */
    void answerOver(LauncherLine newLine) {
        line = newLine;
    }

    boolean isLauncherLost() {
        return lost;
    }

    @Override
    public void onDeath(ProcessId process, String reason) {
        // The text is not joined by +, whose first use would add ten milliseconds to the first death.
        runtime.news().onEvidence(process, new Evidence(Evidence.Kind.CERTAIN, me, "mpiexec: ".concat(reason)));
    }

    @Override
    public void onDeath(ProcessId process, long nonce, String reason) {
        if (nonce == 0) {
            onDeath(process, reason);
        } else {
            runtime.news().onEnd(nonce, new Evidence(Evidence.Kind.CERTAIN, me, "mpiexec: ".concat(reason)));
        }
    }

    @Override
    public void onDeparted(ProcessId process) {
        runtime.news().onDeparted(process);
    }

    @Override
    public void onDeparted(ProcessId process, long nonce) {
        if (nonce == 0) {
            onDeparted(process);
        } else {
            runtime.news().onEnd(nonce, null);
        }
    }

    @Override
    public void onWaiting(Joiner joiner) {
        runtime.news().onWaiting(joiner.hostOrder(), joiner.localIndex(), joiner.member());
    }

    @Override
    public void onFence(String reason) {
        runtime.news().onFence(reason);
    }

    @Override
    public void onLeaseOver(String reason) {
        // The process ends at once: if it took one more step, another process might have taken its place already.
        ProcessEnd.fenced(me, reason);
    }

    @Override
    public void onPending(MemberRecord newcomer) {
        runtime.news().onPending(newcomer);
    }

    @Override
    public void onGathered(List<MemberRecord> members) {
        runtime.news().onGathered(members);
    }

    @Override
    public void onNoMore(int slot, String why) {
        runtime.news().onNoMore(slot, why);
    }

    @Override
    public void onOut(OutReason reason, String text) {
        if (reason == OutReason.GONE_ON || reason == OutReason.CLOSED) {
            runtime.news().onGoneOnWithout(text);
        } else {
            runtime.news().onFence(text);
        }
    }

    @Override
    public void onClosed(String why) {
        endOffice();
        ProcessEnd.closed(me, why);
    }

    @Override
    public void onAbort(int code, String reason) {
        endOffice();
        ProcessEnd.aborted(code);
    }

    /** Lets a rank in office tell all others of the end of the job before this process ends. */
    private void endOffice() {
        if (office != null) {
            office.endSoon();
        }
    }

    @Override
    public void onWaitsAsked(long request) {
        WaitReport report = runtime.waits().report();
        if (report != null) {
            client.tellWaits(request, WaitReportCodec.encode(report));
        }
    }

    /**
     * Answers the launcher's question whether this rank is there, from the thread that polls: while the program
     * computes, the progress thread. The question is meant to find a rank that cannot even do that.
     */
    @Override
    public void onAreYouThere(long question, List<ProcessId> complainers) {
        runtime.news().beat(complainers, () -> line.here(question));
    }

    /**
     * Answers the launcher's question whether this rank still misses the process, but only once everything that can be
     * read is read, or after a number of polls: the heartbeat in question may lie in a lane that was not read yet.
     */
    @Override
    public void onDoYouHear(long question, ProcessId process) {
        runtime.news().whenAllIsRead(() -> {
            if (complaints.holds(process)) {
                line.stillNothing(question, process);
            } else {
                line.heard(process);
            }
        });
    }

    @Override
    public void onSilenced(ProcessId process, String reason) {
        runtime.news().onEvidence(process, silence(reason));
    }

    @Override
    public void onSilenced(ProcessId process, long nonce, String reason) {
        if (nonce == 0) {
            onSilenced(process, reason);
        } else {
            runtime.news().onEnd(nonce, silence(reason));
        }
    }

    private Evidence silence(String reason) {
        return new Evidence(Evidence.Kind.SUSPECTED, me, "mpiexec: ".concat(reason));
    }

    @Override
    public void onSignal(String name) {
        runtime.signals().deliver(name);
    }

    @Override
    public void onLauncherLost(String reason) {
        lost = true;
        if (!orphansContinue) {
            ProcessEnd.orphaned(me, reason);
        }
        evidence.onLauncherLost();
        runtime.news().onNoMoreReplacements("mpiexec is gone (" + reason + "), and only mpiexec starts processes");
    }
}
