package org.ulfmj.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.IntFunction;
import org.ulfmj.detector.Evidence;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.runtime.RankBinding;
import org.ulfmj.runtime.RankRuntime;
import org.ulfmj.runtime.member.RankIdentity;
import org.ulfmj.runtime.options.FaultTrigger;
import org.ulfmj.testkit.launcher.RankLine;
import org.ulfmj.transport.MemberRecord;
import org.ulfmj.transport.auth.JobSecret;
import org.ulfmj.transport.local.LocalHub;

/**
 * One run of a {@link LocalWorld}: its processes, each of which is a thread. {@link LocalLauncher} does the work of the
 * launcher.
 */
final class LocalJob {
    private static final long GRACE_NS = 5_000_000_000L;
    private static final long NS_PER_MS = 1_000_000;

    private final LocalPlan plan;
    private final byte[] secret = JobSecret.random().bytes();
    private final IntFunction<RankMain> mains;
    private final LocalHub hub;
    private final LocalLauncher launcher;
    /**
     * The processes of the first world by slot, then those that replaced dead ones or joined, in the order in which
     * their ranks began. A process that joined and has no name yet is not among them.
     */
    private final List<LocalRank> processes = new CopyOnWriteArrayList<>();
    /** The latest process of each slot. */
    private final Map<Integer, LocalRank> latest = new ConcurrentHashMap<>();

    private final Object end = new Object();
    /**
     * The number of running threads of ranks, of ranks that leave early, and of tasks that the launcher has not done
     * yet, ticks excepted.
     */
    private int busy;

    private Integer abortCode;

    LocalJob(LocalPlan plan, IntFunction<RankMain> mains) {
        this.plan = plan;
        this.mains = mains;
        this.launcher = new LocalLauncher(this, plan);
        this.hub = plan.joiners() == 0 ? new LocalHub(plan.ranks()) : new LocalHub(plan.ranks(), launcher::onGreeted);
        Membership members = Membership.initial(plan.ranks());
        List<RankLine> lines = new ArrayList<>();
        List<MemberRecord> first = new ArrayList<>();
        for (int slot = 0; slot < plan.ranks(); slot++) {
            RankLine line = launcher.line(ProcessId.of(slot));
            lines.add(line);
            first.add(line.me());
        }
        List<MemberRecord> table = List.copyOf(first);
        for (RankLine line : lines) {
            MemberRecord me = line.me();
            add(new LocalRank(this, line), new RankIdentity(me.id(), me.nonce(), members, table, secret));
        }
    }

    private void add(LocalRank process, RankIdentity identity) {
        List<FaultTrigger> triggers = new ArrayList<>();
        for (FaultTrigger trigger : plan.triggers().getOrDefault(process.id().slot(), List.of())) {
            if (trigger.isFor(process.id().incarnation())) {
                triggers.add(trigger);
            }
        }
        RankRuntime runtime = RankRuntime.create(
                identity,
                hub.fabric(process.id()),
                System::nanoTime,
                plan.settings().withTriggers(triggers),
                process);
        process.bind(runtime, new RankBinding(runtime, plan.initialErrorHandler()));
        RunningRank.RUNNING.put(runtime, process);
        processes.add(process);
        latest.put(process.id().slot(), process);
    }

    /** The latest process of a rank. */
    LocalRank rank(int slot) {
        LocalRank process = latest.get(slot);
        if (process == null) {
            int highest = latest.keySet().stream().mapToInt(each -> each).max().orElse(-1);
            throw new IllegalArgumentException("rank " + slot + " must be from 0 to " + highest);
        }
        return process;
    }

    /** The most members that grow() may bring the world to; 1 in a world that no process joins. */
    int most() {
        return isElastic() ? plan.most() : 1;
    }

    private boolean isElastic() {
        return plan.joiners() > 0;
    }

    /**
     * Notes that a rank is a member of a world that replace() or grow() made, and knows all its members: its fabric
     * takes no messages of strangers any more. Called under the lock of the rank's engine.
     */
    void admitted(ProcessId rank) {
        hub.fabric(rank).takeStrangers(false);
    }

    List<LocalRank> processes() {
        return processes;
    }

    LocalLauncher launcher() {
        return launcher;
    }

    LocalResult run() {
        try {
            launcher.gather();
            for (LocalRank rank : processes) {
                start(rank);
            }
            if (!awaitEnd(System.nanoTime() + plan.timeoutNs())) {
                String dump = HangDump.of(processes);
                launcher.shutdown();
                endAll("the program took too long");
                awaitEnd(System.nanoTime() + GRACE_NS);
                throw new AssertionError(
                        "the program has not ended after " + plan.timeoutNs() / NS_PER_MS + " ms\n" + dump);
            }
            return result();
        } finally {
            launcher.shutdown();
            endAll("the program is over");
            for (LocalRank process : processes) {
                RunningRank.RUNNING.remove(process.runtime());
            }
        }
    }

    private void start(LocalRank process) {
        RankMain main = mains.apply(process.id().slot());
        begin();
        process.start(() -> {
            try {
                process.run(main);
            } finally {
                done();
            }
        });
    }

    /** Starts a process that is to take a dead one's place, in this world or in the next. */
    void start(RankLine line) {
        start(line, line.table());
    }

    /** @param table the members of the world that the process is in, or waits for */
    private void start(RankLine line, List<MemberRecord> table) {
        MemberRecord me = line.me();
        for (MemberRecord member : table) {
            if (!member.equals(me)) {
                hub.fabric(me.id()).admit(member);
            }
        }
        hub.fabric(me.id()).takeStrangers(isElastic());
        LocalRank newcomer = new LocalRank(this, line);
        add(newcomer, RankIdentity.of(me, table, secret));
        start(newcomer);
    }

    /**
     * A rank calls a process that joined without a rank, by a name (G10). If the process waits without a name, and no
     * other process has this name, the call gives it the name, and its rank begins. Else, unless the process has this
     * name already, the caller is told that it is not the one of that name. Called on the launcher's thread.
     */
    void greet(ProcessId by, RankLine joiner, ProcessId name) {
        for (LocalRank caller : processes) {
            if (!caller.id().equals(by)) {
                continue;
            }
            if (isFree(name) && joiner.takeName(name)) {
                // The members of the world that the caller is in, or has just entered: any of them may call the
                // process, too.
                List<MemberRecord> table = new ArrayList<>(caller.line().table());
                table.removeIf(member -> member.nonce() == joiner.me().nonce());
                start(joiner, table);
            } else if (!joiner.isCalled(name)) {
                caller.runtime().news().onNotMe(name, joiner.me().nonce());
            }
        }
    }

    private boolean isFree(ProcessId name) {
        for (LocalRank process : processes) {
            if (process.id().equals(name)) {
                return false;
            }
        }
        return true;
    }

    /** Counts a task that must be done before the run is over. May be called by any thread. */
    void begin() {
        synchronized (end) {
            busy++;
        }
    }

    /** Counts a task as done that {@link #begin} had counted. May be called by any thread. */
    void done() {
        synchronized (end) {
            busy--;
            end.notifyAll();
        }
    }

    private boolean awaitEnd(long deadlineNs) {
        boolean interrupted = false;
        synchronized (end) {
            while (busy > 0) {
                long leftMs = (deadlineNs - System.nanoTime()) / NS_PER_MS + 1;
                if (leftMs <= 0) {
                    break;
                }
                try {
                    end.wait(leftMs);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
            return busy == 0;
        }
    }

    /**
     * Ends a rank as dead and tells the launcher, unless the rank has ended already. May be called by any thread, also
     * under the lock of an engine.
     */
    void die(LocalRank dead, RankOutcome outcome) {
        if (dead.end(outcome)) {
            hub.kill(dead.id());
            launcher.onDeath(dead, outcome);
        }
    }

    /** Notes that a rank has ended after Finalize, and tells the launcher, unless the rank had ended already. */
    void depart(LocalRank departed, RankOutcome outcome) {
        if (departed.end(outcome)) {
            launcher.onDeparted(departed);
        }
    }

    /** Ends a newcomer because the world went on without it, and tells the launcher. */
    void stayOut(LocalRank newcomer, String why) {
        if (newcomer.end(new RankOutcome(RankEnd.NOT_ADMITTED, null, why))) {
            hub.kill(newcomer.id());
            launcher.onStayedOut(newcomer, why);
        }
    }

    void abort(int code, String reason) {
        synchronized (this) {
            if (abortCode != null) {
                return;
            }
            abortCode = code;
        }
        List<LocalRank> ended = new ArrayList<>();
        for (LocalRank process : processes) {
            if (process.end(new RankOutcome(RankEnd.ABORTED, null, reason))) {
                hub.kill(process.id());
                ended.add(process);
            }
        }
        launcher.onAbort(ended, reason);
    }

    void suspect(LocalRank observer, ProcessId process) {
        Evidence evidence = new Evidence(Evidence.Kind.SUSPECTED, observer.id(), "the test says that it is silent");
        observer.runtime().news().onEvidence(process, evidence);
    }

    private void endAll(String why) {
        for (LocalRank process : processes) {
            process.runtime().kill(new RankKilledError(why));
            hub.kill(process.id());
        }
    }

    private LocalResult result() {
        List<List<RankOutcome>> outcomes = new ArrayList<>();
        for (LocalRank process : processes) {
            while (outcomes.size() <= process.id().slot()) {
                outcomes.add(new ArrayList<>());
            }
            outcomes.get(process.id().slot()).add(process.outcome());
        }
        for (List<RankOutcome> ofRank : outcomes) {
            if (ofRank.isEmpty()) {
                ofRank.add(new RankOutcome(RankEnd.NOT_ADMITTED, null, "no process has taken this rank"));
            }
        }
        synchronized (this) {
            return LocalResult.of(outcomes, abortCode);
        }
    }
}
