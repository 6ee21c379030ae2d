package org.ulfmj.benchmarks;

import java.util.ArrayList;
import java.util.List;
import org.ulfmj.benchmarks.job.JobSpec;

/** What is measured, and by whom. */
final class Plan {
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

    private static final List<String> PERIODS = List.of("1s", "100ms", "10ms", "1ms", "100us");

    private final Settings settings;
    private final Ours ours;
    private final List<Peers.Peer> peers;

    Plan(Settings settings, Ours ours, List<Peers.Peer> peers) {
        this.settings = settings;
        this.ours = ours;
        this.peers = peers;
    }

    /** The groups that were asked for, each with the cells that were. */
    List<Group> groups() {
        List<Group> groups = new ArrayList<>();
        for (int ranks : settings.ranks()) {
            List<Cell> cells = new ArrayList<>(ranks == 2 ? MESSAGES : List.of());
            cells.addAll(COLLECTIVES);
            add(groups, "shm", ranks, againstPeers("shm", ranks), cells);
        }
        if (settings.ranks().contains(2)) {
            add(groups, "tcp", 2, againstPeers("tcp", 2), TCP);
            add(groups, "heartbeat", 2, periods(), HEARTBEAT);
            add(groups, "ft", 2, tolerance(), TOLERANCE);
        }
        return groups;
    }

    private void add(List<Group> groups, String name, int ranks, List<JobSpec> jobs, List<Cell> cells) {
        List<Cell> wanted =
                cells.stream().filter(cell -> settings.wants(name, cell)).toList();
        // A name of a cell alone means the comparison with others, not what we compare with ourselves.
        boolean isOurs = name.equals("heartbeat") || name.equals("ft");
        if (!wanted.isEmpty() && (!isOurs || settings.wants(name))) {
            groups.add(new Group(name, ranks, jobs, wanted));
        }
    }

    private List<JobSpec> againstPeers(String medium, int ranks) {
        List<JobSpec> jobs = new ArrayList<>(List.of(ours.cells("ours", ranks, medium)));
        for (Peers.Peer peer : peers) {
            JobSpec job = peer.command().with(ranks, medium);
            if (job != null) {
                jobs.add(job);
            }
        }
        return jobs;
    }

    private List<JobSpec> periods() {
        List<JobSpec> jobs = new ArrayList<>(List.of(ours.cells("off", 2, "shm", "--with-ft", "none")));
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
