package org.ulfmj.runtime.process;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.ulfmj.agree.Admission;
import org.ulfmj.detector.BinomialGraph;
import org.ulfmj.detector.Evidence;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.rendezvous.RendezvousClient;
import org.ulfmj.runtime.RankHooks;
import org.ulfmj.runtime.RankRuntime;
import org.ulfmj.runtime.options.Options;
import org.ulfmj.transport.MemberRecord;
import org.ulfmj.transport.tcp.TcpFabric;

/**
 * Stands between a rank and what is around its process: tells the launcher what the rank has to report, and the rank what
 * the launcher pushes and {@code /proc} proves; ends the process where it must end. Under the engine lock.
 */
final class ProcessRank implements RankHooks, EvidenceWatch.Proof, EvidenceWatch.Lifelines {
    private final ProcessId me;
    private final String bootId;
    private final Path socket;
    private final RendezvousClient client;
    private final TcpFabric fabric;
    private final boolean orphansContinue;
    private final long joinTimeoutNs;
    private final EvidenceWatch evidence;
    private final BrokenLinks broken;
    private final String silence;

    private RankRuntime runtime;
    private LauncherNews news;
    private LauncherLine launcher;
    private boolean begun;
    private boolean hasLifelines;
    /** The present world in slot order. */
    private List<MemberRecord> world;
    /** Whether this process is to take a dead one's place, and has not. */
    private boolean isPending;
    /** Until when it waits for that without a launcher. */
    private long pendingUntilNs = Long.MAX_VALUE;

    /** @param table of all members in slot order, this process among them */
    ProcessRank(MemberRecord me, List<MemberRecord> table, RendezvousClient client, TcpFabric fabric, Options options) {
        this.me = me.id();
        this.bootId = me.bootId();
        this.world = table;
        this.isPending = client.isPending();
        this.socket = Path.of(me.socketPath());
        this.client = client;
        this.fabric = fabric;
        this.orphansContinue = options.doOrphansContinue();
        this.joinTimeoutNs = options.joinTimeoutNs();
        this.evidence = new EvidenceWatch(me, table, this);
        this.broken = new BrokenLinks(options.timing().detectorTimeoutNs());
        this.silence = options.timing().detectorTimeoutNs() / 1_000_000 + " ms";
    }

    /** What opens lifelines to the neighbours, when it is run under the engine lock. */
    Runnable lifelines() {
        return new Runnable() {
            @Override
            public void run() {
                openLifelines();
            }
        };
    }

    private void openLifelines() {
        try {
            fabric.listenForLifelines(socket);
        } catch (IOException refused) {
            // The job directory is gone, or no file descriptor is left: heartbeats and the launcher tell of deaths.
            return;
        }
        hasLifelines = true;
        openNewLifelines();
    }

    private void openNewLifelines() {
        List<ProcessId> neighbours = new ArrayList<>();
        for (ProcessId neighbour : onThisHost(BinomialGraph.neighbours(place(), world.size()))) {
            if (!fabric.hasLifeline(neighbour) && !evidence.isGone(neighbour)) {
                neighbours.add(neighbour);
            }
        }
        fabric.openLifelines(neighbours);
        evidence.awaitLifelines(neighbours);
    }

    /** Those of this host to whom this rank passes on news, or will after the next death. */
    List<ProcessId> soonOnThisHost() {
        return onThisHost(BinomialGraph.neighboursAfterADeath(place(), world.size()));
    }

    private List<ProcessId> onThisHost(int[] places) {
        List<ProcessId> here = new ArrayList<>();
        for (int place : places) {
            MemberRecord member = world.get(place);
            if (bootId.equals(member.bootId())) {
                here.add(member.id());
            }
        }
        return here;
    }

    /** Ours in the present world. */
    private int place() {
        int place = 0;
        while (!world.get(place).id().equals(me)) {
            place++;
        }
        return place;
    }

    @Override
    public boolean stands(ProcessId peer) {
        return fabric.hasLifeline(peer);
    }

    @Override
    public void onStart(RankRuntime rank) {
        runtime = rank;
        news = new LauncherNews(me, rank, evidence, orphansContinue, client);
        launcher = new LauncherLine(client, fabric, news);
    }

    @Override
    public void onSeatPoll(long nowNs) {
        if (!begun || launcher.isDue(nowNs)) {
            // At first because news may have come with the table; the selector would not tell.
            begun = true;
            launcher.poll(nowNs);
        }
        evidence.poll(nowNs, this);
        if (isPending && news.isLauncherLost()) {
            waitAlone(nowNs);
        }
        for (ProcessId process : broken.takeDue(nowNs)) {
            onUnreachable(process);
        }
    }

    /** P9: without a launcher nobody will say that this process is not needed. */
    private void waitAlone(long nowNs) {
        if (pendingUntilNs == Long.MAX_VALUE) {
            pendingUntilNs = nowNs + joinTimeoutNs;
        } else if (nowNs - pendingUntilNs >= 0) {
            pendingUntilNs = nowNs + joinTimeoutNs;
            runtime.onGoneOnWithout("mpiexec is gone, and nobody has called replace() for " + joinTimeoutNs / 1_000_000
                    + " ms (ulfm.rdzv.join)");
        }
    }

    @Override
    public long nextDeadlineNs() {
        long evidenceNs = Math.min(evidence.nextDeadlineNs(), broken.nextDeadlineNs());
        return Math.min(Math.min(launcher.nextDeadlineNs(), pendingUntilNs), evidenceNs);
    }

    @Override
    public void onAdmitted(Admission admission, List<MemberRecord> members) {
        boolean isGathered = isPending && !client.isPending();
        isPending = false;
        pendingUntilNs = Long.MAX_VALUE;
        world = members;
        if (!isGathered) {
            // Else it is the launcher who said so.
            launcher.committed(admission, members);
        }
        evidence.onWorld(members);
        if (hasLifelines) {
            openNewLifelines();
        }
    }

    @Override
    public boolean mayBeAdmitted() {
        return client.mayBeAdmitted();
    }

    @Override
    public void onGoneOnWithout(String why) {
        ProcessEnd.notNeeded(me, why);
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
    public boolean isToldOfDeaths() {
        return !news.isLauncherLost();
    }

    @Override
    public void onFenced(String reason) {
        ProcessEnd.fenced(me, reason);
    }

    @Override
    public void onAbort(int code, String reason) {
        launcher.abort(code, reason);
        ProcessEnd.letOthersHear();
        ProcessEnd.aborted(code);
    }

    @Override
    public void onBroken(Throwable cause) {
        ProcessEnd.broken(me, cause);
    }

    @Override
    public void onFaultPoint(int rule) {
        launcher.standAt(rule);
        ProcessEnd.killed();
    }

    @Override
    public void onSilent(ProcessId process) {
        runtime.onEvidence(process, new Evidence(Evidence.Kind.SUSPECTED, me, "no heartbeat for ".concat(silence)));
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
        evidence.onLifelineLost(process, System.nanoTime());
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
