package org.ulfmj.runtime.process;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.rendezvous.client.LineCut;
import org.ulfmj.runtime.RankRuntime;
import org.ulfmj.runtime.inject.FaultAction;
import org.ulfmj.runtime.inject.FaultMarks;
import org.ulfmj.runtime.inject.FaultTerms;
import org.ulfmj.runtime.inject.HostChoice;
import org.ulfmj.runtime.inject.HostNames;
import org.ulfmj.runtime.inject.InjectPlan;
import org.ulfmj.runtime.inject.KillPoints;
import org.ulfmj.runtime.inject.LinkChoice;
import org.ulfmj.runtime.inject.Moment;
import org.ulfmj.runtime.inject.PlannedFault;
import org.ulfmj.runtime.options.JobConfiguration;
import org.ulfmj.transport.MemberRecord;
import org.ulfmj.transport.tcp.HostCut;
import org.ulfmj.transport.tcp.LinkFault;
import org.ulfmj.transport.tcp.LinkTerms;
import org.ulfmj.transport.tcp.SlotEnds;
import org.ulfmj.transport.tcp.TcpFabric;

/**
 * The planned faults that a process carries out itself, and those whose point the process meets and that the launcher
 * carries out. Exists only where the configuration of the job has planned faults. Under the engine lock, but for
 * {@link #holdCaller} and the thread that waits for times.
 */
final class RankFaults implements Runnable {
    private static final long LONGEST_NS = Long.MAX_VALUE / 4;

    private final ProcessId me;
    /** Those of this process, by number. */
    private final Map<Integer, PlannedFault> own = new TreeMap<>();

    private final List<PlannedFault> links = new ArrayList<>();
    /**
     * Partitions, with hosts by the words that the launcher uses for them towards processes
     * ({@link HostNames#wordOf(long)}).
     */
    private final List<PlannedFault> partitions = new ArrayList<>();

    private final String ownHost;
    private final boolean isReporting;
    private final SplittableRandom chance;
    /** Slots whose failure this rank has told the launcher of, and whose recovery it has not. */
    private final SortedSet<Integer> failed = new TreeSet<>();

    /** Faults that come later; guarded by itself. */
    private final List<Due> agenda = new ArrayList<>();

    private RankRuntime runtime;
    private LauncherLine launcher;

    // The holds on the program's threads at their calls; the times are those of System.nanoTime.
    private volatile long hangUntilNs;
    private volatile boolean isHung;
    private volatile long slowUntilNs;
    private volatile boolean isSlow;
    private volatile PlannedFault slowness;

    /** The array that an OOM fault allocates; a field, so that the compiler does not leave out the allocation. */
    private Object memory;

    private record Due(PlannedFault fault, long atNs) {}

    private RankFaults(ProcessId me, long hostKey, boolean isReporting) {
        this.me = me;
        this.ownHost = HostNames.wordOf(hostKey);
        this.isReporting = isReporting;
        this.chance = new SplittableRandom(me.slot());
    }

    /** @param rules by number, as {@link JobConfiguration#faults} */
    static RankFaults of(Map<Integer, String> rules, ProcessId me, long hostKey, int size) {
        RankFaults faults = new RankFaults(me, hostKey, rules.containsKey(JobConfiguration.REPORT));
        for (Map.Entry<Integer, String> rule : rules.entrySet()) {
            if (rule.getKey() != JobConfiguration.REPORT) {
                faults.add(InjectPlan.read(rule.getKey(), rule.getValue(), size));
            }
        }
        return faults;
    }

    private void add(PlannedFault fault) {
        if (fault.action() == FaultAction.PARTITION) {
            if (me.incarnation() == 0) {
                partitions.add(fault);
            }
        } else if (fault.link() != null && me.incarnation() == 0) {
            links.add(fault);
        } else if (fault.isFor(me)) {
            own.put(fault.number(), fault);
        }
    }

    /**
     * Returns the faults of this process's links.
     *
     * @param others the faults that options ask for; null for none
     * @return null for none
     */
    List<LinkFault> ofLinks(List<LinkFault> others) {
        if (links.isEmpty() && partitions.isEmpty()) {
            return others;
        }
        List<LinkFault> all = new ArrayList<>(others == null ? List.of() : others);
        for (PlannedFault partition : partitions) {
            all.add(LinkFault.cut(cutOf(partition.hosts()), beginNs(partition), endNs(partition, 0)));
        }
        for (PlannedFault fault : links) {
            all.add(new LinkFault(
                    fault.number(),
                    LinkFault.Kind.valueOf(fault.action().name()),
                    endsOf(fault.link()),
                    beginNs(fault),
                    endNs(fault, 0),
                    termsOf(fault.terms())));
        }
        return all;
    }

    private static SlotEnds endsOf(LinkChoice links) {
        return new SlotEnds(links.from(), links.to(), links.bothWays());
    }

    private static LinkTerms termsOf(FaultTerms terms) {
        return new LinkTerms(
                terms.lengthNs(), terms.spreadNs(), terms.probability(), terms.bytesPerSecond(), terms.most());
    }

    private HostCut cutOf(HostChoice hosts) {
        SortedSet<Long> unheard = new TreeSet<>();
        SortedSet<Long> unreached = new TreeSet<>();
        for (HostChoice.Group group : hosts.groups()) {
            for (String host : group.hosts()) {
                if (!host.equals(HostNames.LAUNCHER)) {
                    long key = HostNames.keyOf(host);
                    addIf(hosts.cuts(host, ownHost), key, unheard);
                    addIf(hosts.cuts(ownHost, host), key, unreached);
                }
            }
        }
        return new HostCut(unheard, unreached);
    }

    private static void addIf(boolean isMeant, long key, SortedSet<Long> keys) {
        if (isMeant) {
            keys.add(key);
        }
    }

    /**
     * Returns the times in which nothing passes between this process and the launcher, in one direction or both; the
     * times of rules count from {@code fromNs}.
     */
    List<LineCut> ofLauncherLine(long fromNs) {
        List<LineCut> cuts = new ArrayList<>();
        for (PlannedFault partition : partitions) {
            boolean isUnheard = partition.hosts().cuts(HostNames.LAUNCHER, ownHost);
            boolean isUnreached = partition.hosts().cuts(ownHost, HostNames.LAUNCHER);
            if (isUnheard || isUnreached) {
                cuts.add(new LineCut(fromNs + beginNs(partition), endNs(partition, fromNs), isUnheard, isUnreached));
            }
        }
        return cuts;
    }

    private static long beginNs(PlannedFault fault) {
        return ((Moment.AtTime) fault.moment()).afterStartNs();
    }

    private static long endNs(PlannedFault fault, long fromNs) {
        return fault.durationNs() == 0 ? Long.MAX_VALUE : fromNs + beginNs(fault) + fault.durationNs();
    }

    /** Sets the line by which the launcher is told of faults. */
    void tellOver(LauncherLine line, TcpFabric fabric, RankRuntime rank) {
        launcher = line;
        runtime = rank;
        fabric.tellFaults(line::tellReached);
    }

    /**
     * Notes that the rank is in the world: the times of the faults that this process carries out itself, but for those
     * of its links, count from now. A fault that is due at once comes before the program's next call.
     */
    void begin() {
        long nowNs = System.nanoTime();
        List<PlannedFault> atOnce = new ArrayList<>();
        for (PlannedFault fault : own.values()) {
            if (fault.action().actor() == FaultAction.Actor.RANK && fault.moment() instanceof Moment.AtTime at) {
                if (at.afterStartNs() == 0) {
                    atOnce.add(fault);
                } else {
                    later(fault, nowNs + at.afterStartNs());
                }
            }
        }
        for (PlannedFault fault : atOnce) {
            runtime.whileRunning(() -> now(fault));
        }
        Thread thread = new Thread(null, this, "ulfm-faults");
        thread.setDaemon(true);
        thread.start();
    }

    private void later(PlannedFault fault, long atNs) {
        synchronized (agenda) {
            agenda.add(new Due(fault, atNs));
            agenda.notifyAll();
        }
    }

    /** Waits for the times of faults, and carries out each fault that is due. */
    @Override
    public void run() {
        try {
            while (true) {
                PlannedFault due = awaitDue();
                runtime.whileRunning(() -> now(due));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private PlannedFault awaitDue() throws InterruptedException {
        synchronized (agenda) {
            while (true) {
                long waitNs = LONGEST_NS;
                for (Due due : agenda) {
                    long leftNs = due.atNs() - System.nanoTime();
                    if (leftNs <= 0) {
                        agenda.remove(due);
                        return due.fault();
                    }
                    waitNs = Math.min(waitNs, leftNs);
                }
                agenda.wait(waitNs / 1_000_000, (int) (waitNs % 1_000_000));
            }
        }
    }

    // ---- points and events

    /**
     * Carries out the fault whose point is reached, or puts it off by the rule's delay. Returns false if the launcher
     * is to kill this process there.
     */
    boolean carryOut(int rule) {
        PlannedFault fault = own.get(rule);
        if (fault == null || fault.isDeathAtPoint()) {
            return rule == JobConfiguration.REPORT;
        }
        if (fault.delayNs() > 0 && fault.action().actor() == FaultAction.Actor.RANK) {
            later(fault, System.nanoTime() + fault.delayNs());
        } else {
            now(fault);
        }
        return true;
    }

    void onPassed(String point) {
        if (isReporting && point.equals(KillPoints.AGREED)) {
            for (int slot : failed) {
                launcher.tellReached(FaultMarks.recovered(slot));
            }
            failed.clear();
        }
    }

    /** This rank has marked a process failed. */
    void onFailed(ProcessId process) {
        if (isReporting && process.incarnation() == 0) {
            failed.add(process.slot());
            launcher.tellReached(FaultMarks.failed(process.slot()));
        }
        onEvent(Moment.Event.DEAD, process.slot());
    }

    /** The world has these members now. */
    void onWorld(List<MemberRecord> members) {
        for (MemberRecord member : members) {
            if (member.id().incarnation() > 0) {
                onEvent(Moment.Event.JOINED, member.id().slot());
            }
        }
    }

    private void onEvent(Moment.Event event, int slot) {
        for (PlannedFault fault : List.copyOf(own.values())) {
            if (fault.action().actor() == FaultAction.Actor.RANK
                    && fault.moment() instanceof Moment.AtEvent at
                    && at.event() == event
                    && at.rank() == slot) {
                own.remove(fault.number());
                // Even without a delay the fault is not carried out here, in the middle of the engine's own work.
                later(fault, System.nanoTime() + at.afterNs());
            }
        }
    }

    // ---- the faults

    private void now(PlannedFault fault) {
        launcher.tellReached(fault.number());
        long untilNs = System.nanoTime() + (fault.durationNs() == 0 ? LONGEST_NS : fault.durationNs());
        switch (fault.action()) {
            case EXIT -> {
                launcher.flush();
                Runtime.getRuntime().halt(fault.terms().code());
            }
            case ABORT -> runtime.abort(fault.terms().code());
            case OOM -> {
                launcher.flush();
                memory = new byte[Integer.MAX_VALUE];
            }
            case PAUSE -> {
                launcher.flush();
                sleepUntil(untilNs);
            }
            case HANG -> {
                hangUntilNs = untilNs;
                isHung = true;
            }
            case SLOW -> {
                slowness = fault;
                slowUntilNs = untilNs;
                isSlow = true;
            }
            default -> {
                // The launcher, which was told, carries the fault out.
            }
        }
    }

    /** Whether a rule for this process makes {@link #holdCaller} wait, no matter at which moment the fault begins. */
    boolean holdsCallers() {
        return own.values().stream()
                .map(PlannedFault::action)
                .anyMatch(action -> action == FaultAction.HANG || action == FaultAction.SLOW);
    }

    /**
     * Holds the program's thread, which has begun a call, as long as a fault that hangs or slows the rank says. Without
     * the engine lock.
     */
    void holdCaller() {
        if (isHung) {
            sleepUntil(hangUntilNs);
        }
        if (isSlow && System.nanoTime() - slowUntilNs < 0) {
            long spreadNs = slowness.terms().spreadNs();
            long moreNs;
            synchronized (chance) {
                moreNs = spreadNs == 0 ? 0 : chance.nextLong(-spreadNs, spreadNs + 1);
            }
            sleepUntil(System.nanoTime() + slowness.terms().lengthNs() + moreNs);
        }
    }

    private static void sleepUntil(long untilNs) {
        boolean isInterrupted = false;
        while (untilNs - System.nanoTime() > 0) {
            LockSupport.parkNanos(untilNs - System.nanoTime());
            isInterrupted |= Thread.interrupted();
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
