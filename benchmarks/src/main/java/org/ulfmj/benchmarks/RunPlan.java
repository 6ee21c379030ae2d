package org.ulfmj.benchmarks;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import org.ulfmj.benchmarks.job.JobSpec;
import org.ulfmj.benchmarks.peer.OtherMpis;
import org.ulfmj.benchmarks.peer.Ours;
import org.ulfmj.benchmarks.profile.FlightProfile;
import org.ulfmj.benchmarks.result.Result;

/** The list of measurements, and the jobs that take part in each. */
final class RunPlan {
    private static final int KIB = 1 << 10;
    private static final int MIB = 1 << 20;

    private static final List<Cell> MESSAGES = List.of(
            new Cell("pp", 8),
            new Cell("pp", KIB),
            new Cell("pp", 16 * KIB),
            new Cell("pp", 64 * KIB),
            new Cell("pp", 256 * KIB),
            new Cell("pp", MIB),
            new Cell("pp", 4 * MIB),
            new Cell("ppa", 8),
            new Cell("ppa", 64 * KIB),
            new Cell("ppa", MIB),
            new Cell("ppa", 4 * MIB),
            new Cell("pps", 8),
            new Cell("pps", MIB),
            new Cell("ppw", 8),
            new Cell("ppw", MIB),
            new Cell("ppaw", 8),
            new Cell("ppaw", MIB),
            new Cell("ppsw", 8),
            new Cell("ppsw", MIB),
            new Cell("rate", 8),
            new Cell("rate", 64 * KIB));

    private static final List<Cell> COLLECTIVES = List.of(
            new Cell("barrier", 0),
            new Cell("allreduce", 8),
            new Cell("allreduce", 64 * KIB),
            new Cell("allreduce", 4 * MIB),
            new Cell("bcast", 8),
            new Cell("bcast", 64 * KIB),
            new Cell("bcast", 4 * MIB),
            new Cell("reduce", 8),
            new Cell("reduce", 64 * KIB),
            new Cell("allgather", 8),
            new Cell("allgather", 64 * KIB),
            new Cell("alltoall", 8),
            new Cell("alltoall", 64 * KIB));

    private static final List<Cell> TCP = List.of(new Cell("pp", 8), new Cell("pp", 64 * KIB), new Cell("pp", 4 * MIB));

    private static final List<Cell> HEARTBEAT = List.of(new Cell("pp", 8), new Cell("allreduce", 8));

    private static final List<Cell> TOLERANCE = List.of(new Cell("pp", 8), new Cell("pp", MIB));

    private static final List<Cell> AGREEMENT =
            List.of(new Cell("agree", 0), new Cell("allreduce", 8), new Cell("bcast", 8));

    private static final List<List<Cell>> STARTED = List.of(
            List.of(new Cell("barrier", 0), new Cell("ibarrier", 0)),
            pair("bcast", "ibcast", 8),
            pair("bcast", "ibcast", KIB),
            pair("reduce-direct", "ireduce", 8),
            pair("reduce-direct", "ireduce", KIB),
            pair("allreduce-direct", "iallreduce", 8),
            pair("allreduce-direct", "iallreduce", KIB),
            pair("allreduce-direct", "iallreduce", 64 * KIB),
            pair("allgather", "iallgather", 8),
            pair("allgather", "iallgather", KIB),
            pair("allreduce-compute", "iallreduce-compute", 4 * MIB),
            pair("allreduce-sleep", "iallreduce-sleep", 4 * MIB));

    private static final List<Cell> FIRST =
            List.of(new Cell("pp", 8), new Cell("allreduce", 8), new Cell("barrier", 0));

    /** The cell of first seconds that is measured with our jobs only. */
    private static final Cell FIRST_OF_OURS = new Cell("agree", 0);

    private static final List<Cell> HOG = List.of(new Cell("barrier", 0), new Cell("barrier", 0, true));

    /** How much memory the rank that is killed fills, in MiB; failures are measured with each size. */
    private static final List<Integer> HEAPS = List.of(64, 4096);

    /**
     * How many whole jobs of each spec count in a launch, unless {@code --quick} is given; the figure of a window is
     * their median.
     */
    private static final int WHOLE_JOBS = 5;

    /** From this many ranks per core on, some measurements are made in the first launch only. */
    private static final int CROWD = 8;

    private static final List<String> PERIODS = List.of("1s", "100ms", "10ms", "1ms", "100us");

    private final CompareSettings settings;
    private final Ours ours;
    private final List<OtherMpis.Peer> peers;
    private final PrintStream out;

    RunPlan(CompareSettings settings, Ours ours, List<OtherMpis.Peer> peers, PrintStream out) {
        this.settings = settings;
        this.ours = ours;
        this.peers = peers;
        this.out = out;
    }

    private static List<Cell> pair(String blocking, String started, int bytes) {
        return List.of(new Cell(blocking, bytes), new Cell(started, bytes));
    }

    /** The cells that are compared with the peers over shared memory. */
    static List<Cell> cells(int ranks) {
        List<Cell> cells = new ArrayList<>(ranks == 2 ? MESSAGES : List.of());
        cells.addAll(COLLECTIVES);
        return cells;
    }

    /** All measurements that were asked for, in the order in which they run: mostly by numbers of ranks. */
    List<Measurement> measurements() {
        List<Measurement> all = new ArrayList<>();
        for (int ranks : settings.ranks()) {
            againstPeers(all, "shm", ranks, cells(ranks));
            if (ranks == 2) {
                againstPeers(all, "tcp", ranks, TCP);
            }
            ourselves(all, new CellGroup("agree", ranks, ourselves(ranks), AGREEMENT, true, isCrowded(ranks)));
            for (List<Cell> pair : ranks == 2 ? STARTED : List.<List<Cell>>of()) {
                if (settings.wants("started", pair.get(1))) {
                    all.add(new GroupRun(
                            new CellGroup("started", ranks, ourselves(ranks), pair, true, false), settings, out));
                }
            }
            if (settings.wants("revoke")) {
                all.add(new RevokeRun(ours, ranks, settings.quick() ? 20 : 100));
            }
            if (settings.wants("shrink")) {
                all.add(new ShrinkRun(ours, ranks));
            }
            for (int heap : HEAPS) {
                if (settings.wants("failure")) {
                    all.add(new FailureRun(ours, ranks, settings.quick() ? 3 : heap > 1024 ? 5 : 11, heap));
                }
            }
            if (settings.wants(FlightProfile.GROUP)) {
                all.addAll(MethodProfile.of(ours, ranks, settings.quick()));
            }
            if (settings.wants("start")) {
                all.add(new StartRun(ours, peers, ranks, settings.quick() ? 3 : 11));
            }
            if (ranks == 2 || ranks == 4) {
                wholeJobs(all, ranks);
            }
        }
        if (settings.ranks().contains(2)) {
            ourselves(all, new CellGroup("heartbeat", 2, periods(), HEARTBEAT, false, true));
            ourselves(all, new CellGroup("ft", 2, tolerance(), TOLERANCE, false, false));
            if (settings.wants("allocation") || settings.wants("processor")) {
                all.add(new CostRun(ours));
            }
            if (settings.wants("memory")) {
                all.add(new MemoryRun(ours, settings.quick() ? 3 : 11));
            }
        }
        if (settings.wants("recovery") && settings.ranks().contains(4)) {
            all.add(new RecoveryRun(ours, 4, settings.quick() ? 3 : 11));
            all.add(new RecoveryRun(ours, 10, settings.quick() ? 1 : 5));
        }
        for (int ranks : settings.ranks()) {
            if (ranks == 2 || ranks == 4) {
                ourselves(all, new CellGroup("hog", ranks, ourselves(ranks), HOG, true, false));
            }
        }
        return all;
    }

    /**
     * Whether there are so many ranks per core that some measurements are made in the first launch only: those of
     * messages and collectives, agreements, revocations, and shrinks without a failure.
     */
    static boolean isCrowded(int ranks) {
        return ranks >= CROWD * Runtime.getRuntime().availableProcessors();
    }

    /** Adds the comparison with the other MPIs. {@code --only} may select its cells by their names without a group. */
    private void againstPeers(List<Measurement> all, String medium, int ranks, List<Cell> cells) {
        List<Cell> wanted =
                cells.stream().filter(cell -> settings.wants(medium, cell)).toList();
        if (!wanted.isEmpty()) {
            all.add(new GroupRun(
                    new CellGroup(medium, ranks, againstPeers(medium, ranks), wanted, false, isCrowded(ranks)),
                    settings,
                    out));
        }
    }

    /** Adds the measurements of the first seconds of jobs, and of whole short jobs. */
    private void wholeJobs(List<Measurement> all, int ranks) {
        int jobs = settings.quick() ? 1 : WHOLE_JOBS;
        for (Cell cell : FIRST) {
            if (settings.wantsOf(FirstRun.GROUP, cell)) {
                all.add(new FirstRun(firstSeconds(ranks, true), ranks, cell, jobs, out));
            }
        }
        if (settings.wantsOf(FirstRun.GROUP, FIRST_OF_OURS)) {
            all.add(new FirstRun(List.of(ours.firstSeconds(ranks)), ranks, FIRST_OF_OURS, jobs, out));
        }
        for (int seconds : settings.wants(ShortRun.GROUP) ? ShortRun.LENGTHS : List.<Integer>of()) {
            all.add(new ShortRun(firstSeconds(ranks, false), ranks, seconds, jobs, out));
        }
    }

    /** Adds a comparison of our own jobs, if its group is wanted; {@code --only} can select it by that name alone. */
    private void ourselves(List<Measurement> all, CellGroup group) {
        if (settings.wants(group.name())) {
            all.add(new GroupRun(group, settings, out));
        }
    }

    private List<JobSpec> ourselves(int ranks) {
        return List.of(ours.cells(Result.OURS, ranks, "shm"));
    }

    private List<JobSpec> againstPeers(String medium, int ranks) {
        List<JobSpec> jobs = new ArrayList<>(List.of(ours.cells(Result.OURS, ranks, medium)));
        for (OtherMpis.Peer peer : peers) {
            JobSpec job = peer.command().with(ranks, medium);
            if (job != null && !(job.isOnce() && isCrowded(ranks))) {
                jobs.add(job);
            }
        }
        if (settings.peers().contains(Ours.BARE)) {
            jobs.add(ours.bareCells(ranks, medium));
        }
        return jobs;
    }

    /**
     * Returns the jobs for measurements of first seconds or of short jobs: ours, those of the other MPIs that have one,
     * and, if {@code hasBare} and if it was asked for, the one without a library.
     */
    private List<JobSpec> firstSeconds(int ranks, boolean hasBare) {
        List<JobSpec> jobs = new ArrayList<>(List.of(ours.firstSeconds(ranks)));
        for (OtherMpis.Peer peer : peers) {
            if (peer.firstSeconds() != null) {
                jobs.add(peer.firstSeconds().with(ranks, "shm"));
            }
        }
        if (hasBare && settings.peers().contains(Ours.BARE)) {
            jobs.add(ours.bareFirstSeconds(ranks));
        }
        return jobs;
    }

    private List<JobSpec> periods() {
        List<JobSpec> jobs = new ArrayList<>(List.of(
                ours.cells("none", 2, "shm", "--with-ft", "none"),
                ours.cells("off", 2, "shm", "--set", "ulfm.fd=off"),
                ours.cells("default", 2, "shm")));
        for (String period : PERIODS) {
            jobs.add(ours.cells(period, 2, "shm", "--set", "ulfm.fd.period=" + period));
        }
        return jobs;
    }

    private List<JobSpec> tolerance() {
        return List.of(
                ours.cells("none", 2, "shm", "--with-ft", "none"), ours.cells("ulfm", 2, "shm", "--with-ft", "ulfm"));
    }
}
