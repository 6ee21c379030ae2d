package org.ulfmj.runtime.process;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.ulfmj.agree.message.Admission;
import org.ulfmj.detector.BinomialGraph;
import org.ulfmj.detector.Evidence;
import org.ulfmj.detector.OrphanJudge;
import org.ulfmj.detector.UnjudgedSilences;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.rendezvous.client.RendezvousClient;
import org.ulfmj.runtime.RankHooks;
import org.ulfmj.runtime.RankRuntime;
import org.ulfmj.runtime.leave.Preemption;
import org.ulfmj.runtime.office.RankOffice;
import org.ulfmj.runtime.options.JobConfiguration;
import org.ulfmj.runtime.options.Options;
import org.ulfmj.runtime.store.StoreLine;
import org.ulfmj.transport.MemberRecord;
import org.ulfmj.transport.tcp.TcpFabric;

/**
 * Stands between a rank and what is around its process: tells the launcher what the rank has to report, tells the rank
 * what the launcher sends and what {@code /proc} proves, and ends the process where it must end. Methods are called
 * under the engine lock, unless the interface that declares a method says otherwise.
 */
final class ProcessRank
        implements RankHooks,
                EvidenceWatch.Proof,
                EvidenceWatch.Lifelines,
                ComplaintSender.Listener,
                OrphanedHost.Verdicts {
    private final ProcessId me;
    private final long nonce;
    private final long hostKey;
    private final Path socket;
    private final RendezvousClient client;
    private final TcpFabric fabric;
    private final boolean isFaultTolerant;
    private final long linkBudgetNs;
    private final boolean orphansContinue;
    private final long joinTimeoutNs;
    private final long graceNs;
    private final EvidenceWatch evidence;
    private final BrokenLinks broken;
    private final ComplaintSender complaints = new ComplaintSender(this);
    private final OrphanJudge orphans;
    /** The silences that no launcher judges; null unless a majority of the ranks may go on without the launcher. */
    private final UnjudgedSilences unjudged;
    /** The planned faults of this process; null for none. */
    private final RankFaults faults;
    /** The candidate for the office of coordinator; null where the launcher alone is the coordinator. */
    private final RankOffice office;
    /**
     * Decides when the launcher is told that this rank is silent; null if neither {@code ulfm.silence.limit} nor
     * {@code ulfm.progress.limit} is on.
     */
    private final SilenceNotice silence;

    private RankRuntime runtime;
    private LauncherNews news;
    private LauncherLine launcher;
    /** Null before the first use. */
    private StoreLine store;

    private final int mostMembers;

    private boolean begun;
    private boolean hasLifelines;
    private boolean hasLeft;
    /**
     * Whether silent processes are to be judged, without the launcher, as soon as everything that can be read is read,
     * or after a number of polls.
     */
    private boolean isJudging;
    /** The present world in slot order. */
    private List<MemberRecord> world;
    /** Whether this process is a newcomer that is not admitted yet. */
    private boolean isPending;
    /** The time until which this newcomer waits for its admission without a launcher. */
    private long pendingUntilNs = Long.MAX_VALUE;

    /**
     * @param table of all members in slot order, this process among them
     * @param faults the planned faults of this process; null for none
     * @param mostMembers how many members the world may have; 1 in a static job
     * @param office the office for which this rank is a candidate; null where the launcher alone is the coordinator
     */
    ProcessRank(
            MemberRecord me,
            List<MemberRecord> table,
            RendezvousClient client,
            TcpFabric fabric,
            JobConfiguration job,
            RankFaults faults,
            int mostMembers,
            RankOffice office) {
        Options options = job.options();
        this.mostMembers = mostMembers;
        this.office = office;
        this.faults = faults;
        this.me = me.id();
        this.nonce = me.nonce();
        this.hostKey = me.hostKey();
        this.world = table;
        this.isPending = client.isPending();
        this.socket = Path.of(me.socketPath());
        this.client = client;
        this.fabric = fabric;
        this.isFaultTolerant = options.isFaultTolerant();
        this.linkBudgetNs = options.timing().linkBudgetNs();
        boolean isOfMajority = options.doOrphansContinueApart()
                && options.needsMajority()
                && (client.hasLease() || isOnSeveralHosts(me, table));
        this.orphansContinue = isOfMajority || options.doOrphansContinue();
        this.unjudged = isOfMajority ? new UnjudgedSilences(options.timing().detectorTimeoutNs()) : null;
        this.joinTimeoutNs = options.joinTimeoutNs();
        this.graceNs = options.graceNs();
        this.evidence = new EvidenceWatch(me, table, this);
        if (office != null) {
            // Where the coordinator is elected there may be none for a while, and then only the ranks notice deaths: so
            // this rank looks at processes as if the launcher were lost.
            evidence.onLauncherLost();
        }
        this.broken = new BrokenLinks(patienceNs(options));
        OrphanedHost host =
                new OrphanedHost(me.process(), job.launcher(), new HostLock(socket.getParent()), evidence, this);
        this.orphans = new OrphanJudge(host, options.timing().detectorTimeoutNs());
        long silenceNs = options.silenceLimitNs();
        long progressNs = options.progressLimitNs();
        this.silence =
                Math.min(silenceNs, progressNs) == Long.MAX_VALUE ? null : new SilenceNotice(silenceNs, progressNs);
    }

    private static boolean isOnSeveralHosts(MemberRecord me, List<MemberRecord> table) {
        for (MemberRecord member : table) {
            if (!member.isOnHostOf(me)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns for how long a process that the links report as unreachable may still turn out to have died or departed,
     * or be reached again. With fault tolerance that is the detector's timeout. Without it there is no such time if
     * links are resumed, because their budget is spent already and was time enough for the launcher to tell; else it is
     * that budget.
     */
    private static long patienceNs(Options options) {
        if (options.isFaultTolerant()) {
            return options.timing().detectorTimeoutNs();
        }
        return options.resumesLinks() ? 0 : options.timing().linkBudgetNs();
    }

    /** Returns an action that opens the lifelines to the neighbours; to be run under the engine lock. */
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
            // The job directory is gone, or no file descriptor is left. This rank goes without lifelines: heartbeats
            // and the launcher tell of deaths.
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

    /** The processes of this host to which this rank passes on news now, or will after the next death. */
    List<ProcessId> soonOnThisHost() {
        return onThisHost(BinomialGraph.neighboursAfterADeath(place(), world.size()));
    }

    private List<ProcessId> onThisHost(int[] places) {
        List<ProcessId> here = new ArrayList<>();
        for (int place : places) {
            MemberRecord member = world.get(place);
            if (hostKey == member.hostKey()) {
                here.add(member.id());
            }
        }
        return here;
    }

    /** Returns the index of this process in the present world. */
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
        news = new LauncherNews(me, rank, evidence, orphansContinue, client, complaints, office);
        launcher = new LauncherLine(client, fabric, news);
        news.answerOver(launcher);
        if (faults != null) {
            faults.tellOver(launcher, fabric, rank);
        }
    }

    @Override
    public boolean beforeSeatPoll() {
        return client.hasLease() && launcher != null && launcher.endPastLease(System.nanoTime());
    }

    @Override
    public void onSeatPoll(long nowNs) {
        if (!begun || launcher.isDue(nowNs)) {
            // The first poll reads from the launcher in any case: news may have come together with the table, and the
            // selector would not show it.
            begun = true;
            launcher.poll(nowNs);
        }
        if (silence != null && !hasLeft && silence.isDue(runtime.calls(), nowNs)) {
            launcher.tellSilence();
        }
        evidence.poll(nowNs, this);
        if (isPending && news.isLauncherLost()) {
            waitAlone(nowNs);
        }
        if (isPending && office != null && office.isJobOver()) {
            // The last coordinator has ended before it could tell this process that the job is over.
            runtime.news().onGoneOnWithout("the job is over");
        }
        for (ProcessId process : broken.takeDue(nowNs)) {
            if (isFaultTolerant) {
                complaints.linkLost(process);
            } else if (!hasLeft) {
                endWithout(process);
            }
        }
        if (unjudged != null && news.isLauncherLost()) {
            unjudged.launcherLost(nowNs);
        }
        if (nowNs >= judgingNs() && !isJudging && !hasLeft) {
            isJudging = true;
            runtime.news().whenAllIsRead(this::judgeOrphans);
        }
    }

    /**
     * Ends the job, because this rank cannot reach a process: without fault tolerance no process is judged, and all
     * ranks would wait for it.
     */
    private void endWithout(ProcessId process) {
        String reason = "rank " + me + " cannot reach rank " + process + ": nothing has passed between them for "
                + linkBudgetNs / 1_000_000 + " ms (ulfm.link.budget), and the job has no fault tolerance";
        System.err.println(reason);
        onAbort(1, reason);
    }

    private void judgeOrphans() {
        isJudging = false;
        orphans.onTick(System.nanoTime());
        if (unjudged != null) {
            for (ProcessId process : unjudged.takeDue(System.nanoTime())) {
                onDoomed(process, "it is silent, and mpiexec, which would find out, does not answer");
            }
        }
    }

    private long judgingNs() {
        return unjudged == null
                ? orphans.nextDeadlineNs()
                : Math.min(orphans.nextDeadlineNs(), unjudged.nextDeadlineNs());
    }

    /**
     * Ends the wait of a newcomer without a launcher when its time, which begins with the first call, is over (P9): no
     * other process will tell it that it is not needed.
     */
    private void waitAlone(long nowNs) {
        if (pendingUntilNs == Long.MAX_VALUE) {
            pendingUntilNs = nowNs + joinTimeoutNs;
        } else if (nowNs - pendingUntilNs >= 0) {
            pendingUntilNs = nowNs + joinTimeoutNs;
            runtime.news()
                    .onGoneOnWithout("mpiexec is gone, and no rank has called " + (mostMembers > 1 ? "grow" : "replace")
                            + "() for "
                            + joinTimeoutNs / 1_000_000
                            + " ms (ulfm.rdzv.join)");
        }
    }

    @Override
    public long nextDeadlineNs() {
        long orphansNs = isJudging || hasLeft ? Long.MAX_VALUE : judgingNs();
        long evidenceNs = Math.min(Math.min(evidence.nextDeadlineNs(), broken.nextDeadlineNs()), orphansNs);
        return Math.min(Math.min(launcher.nextDeadlineNs(), pendingUntilNs), evidenceNs);
    }

    @Override
    public void onAdmitted(Admission admission, List<MemberRecord> members) {
        boolean isGathered = isPending && !client.isPending();
        isPending = false;
        fabric.takeStrangers(false);
        pendingUntilNs = Long.MAX_VALUE;
        world = members;
        if (!isGathered) {
            // If the launcher has gathered this world, it has told this process of it, and need not be told.
            launcher.committed(admission, members);
        }
        evidence.onWorld(members);
        if (faults != null) {
            faults.onWorld(members);
        }
        if (hasLifelines) {
            openNewLifelines();
        }
    }

    @Override
    public int mostMembers() {
        return mostMembers;
    }

    @Override
    public boolean mayBeAdmitted() {
        return client.mayBeAdmitted();
    }

    @Override
    public void onGoneOnWithout(String why) {
        onFinished();
        ProcessEnd.notNeeded(me, why);
    }

    /**
     * J1: passes a complaint to the launcher, which judges. Notes it for the time when the launcher is lost and the
     * ranks judge, if this rank may judge the process then.
     */
    @Override
    public void onComplaint(ProcessId process) {
        launcher.suspect(process);
        if (unjudged != null) {
            unjudged.silent(process, System.nanoTime());
        } else if (evidence.comparable(process) != null) {
            orphans.silent(process, System.nanoTime());
        }
    }

    @Override
    public void onWithdrawn(ProcessId process) {
        launcher.heard(process);
        if (unjudged != null) {
            unjudged.drop(process);
        }
        orphans.heard(process);
    }

    @Override
    public boolean isLauncherLost() {
        return news.isLauncherLost();
    }

    /**
     * Marks a process failed without proof of its end, once the launcher is dead or lost: SIGKILL waits for it in a
     * sleep that the system does not interrupt, so that it will run no instruction again (rule J1), or it is only
     * silent and no launcher is left that would judge ({@link UnjudgedSilences}).
     */
    @Override
    public void onDoomed(ProcessId process, String reason) {
        runtime.news().onEvidence(process, new Evidence(Evidence.Kind.SUSPECTED, me, reason));
    }

    /** Tells the rank that the end of the process is proven on this host. */
    @Override
    public void onEnded(ProcessId process, String reason) {
        runtime.news().onEvidence(process, new Evidence(Evidence.Kind.CERTAIN, me, reason));
    }

    @Override
    public boolean isToldOfDeaths() {
        return office == null && !news.isLauncherLost();
    }

    @Override
    public void onFenced(String reason) {
        ProcessEnd.fenced(me, reason);
    }

    @Override
    public void onAbort(int code, String reason) {
        launcher.abort(code, reason, office == null ? 0 : office.patienceNs());
        ProcessEnd.letOthersHear();
        if (office != null) {
            office.endSoon();
        }
        ProcessEnd.aborted(code);
    }

    @Override
    public void onBroken(Throwable cause) {
        ProcessEnd.broken(me, cause);
    }

    @Override
    public void onFaultPoint(int rule) {
        if (faults != null && faults.carryOut(rule)) {
            return;
        }
        launcher.standAt(rule);
        ProcessEnd.killed();
    }

    @Override
    public void onPassed(String point) {
        if (faults != null) {
            faults.onPassed(point);
        }
    }

    @Override
    public boolean holdsCallers() {
        return faults != null && faults.holdsCallers();
    }

    @Override
    public void onCallBegun() {
        if (faults != null) {
            faults.holdCaller();
        }
    }

    @Override
    public void onSilent(ProcessId process) {
        complaints.silent(process);
    }

    @Override
    public void onHeard(ProcessId process) {
        complaints.heard(process);
    }

    @Override
    public void onFailed(ProcessId process, Evidence why) {
        if (faults != null) {
            faults.onFailed(process);
        }
        onGone(process);
    }

    @Override
    public void onDeparted(ProcessId process) {
        onGone(process);
    }

    private void onGone(ProcessId process) {
        evidence.onGone(process);
        broken.onGone(process);
        complaints.gone(process);
        orphans.gone(process);
        if (unjudged != null) {
            unjudged.drop(process);
        }
    }

    @Override
    public void onGoodbye(SlotSet failed) {
        hasLeft = true;
        orphans.leave();
        if (office != null) {
            office.noteFinalized(nonce);
        }
        launcher.goodbye(failed);
    }

    @Override
    public void watchForSignals() {
        RawSignal.watch(runtime);
    }

    @Override
    public boolean watchForPreemption(Preemption preemption) {
        return ProcessEnd.watchForPreemption(preemption, graceNs);
    }

    @Override
    public void onLeave(String why, long mostNs) {
        hasLeft = true;
        orphans.leave();
        launcher.leave(why, mostNs);
    }

    @Override
    public long goodbyePatienceNs() {
        return office == null ? 0 : office.patienceNs();
    }

    @Override
    public void onLeft(int code) {
        if (office != null) {
            office.leave();
        }
        ProcessEnd.left(code);
    }

    @Override
    public void onFinished() {
        if (office != null) {
            office.finish();
        }
    }

    @Override
    public boolean isGoodbyeHeard() {
        return launcher.isGoodbyeHeard();
    }

    @Override
    public String whyNoStore() {
        return "the coordinator of this job is elected (mpiexec --rdzv) and keeps no values;"
                + " SharedStore.open(\"etcd://HOST:PORT/JOB\") keeps them in etcd";
    }

    @Override
    public StoreLine store() {
        if (office != null) {
            return null;
        }
        if (store == null) {
            store = LauncherStore.over(launcher);
        }
        return store;
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
        complaints.linkRestored(process);
    }
}
