package org.ulfmj.benchmarks;

import static org.ulfmj.command.CommandOption.flag;
import static org.ulfmj.command.CommandOption.value;

import java.nio.file.Path;
import java.util.List;
import org.ulfmj.command.CommandOption;
import org.ulfmj.command.GivenOptions;
import org.ulfmj.command.OptionTable;

/**
 * The command line of {@code benchmarks/compare}. A wrong one is an {@link IllegalArgumentException}.
 *
 * @param only names of what is measured; empty for all
 * @param rounds of each cell, at most, per job; 0 for the default, which is 31 where an operation takes less than 10 µs
 *     in some job, and otherwise 11
 * @param out where tables and plots go; null to write none
 */
record CompareSettings(
        List<String> only,
        List<Integer> ranks,
        List<String> peers,
        int launches,
        int rounds,
        double roundNs,
        Path out,
        boolean quick,
        boolean list,
        boolean render,
        boolean help) {
    private static final int MOST_RANKS = 64;
    private static final List<String> PEERS = List.of("ompi", "mpich", "mpj", "bare", "none");

    static final OptionTable OPTIONS = OptionTable.of(
            "benchmarks/compare",
            "Runs our jobs and those of other MPIs side by side, a round of each in turn, and prints what each took.",
            List.of(
                    value(
                            "NAME,...",
                            "What is measured: pp, rate:8, allreduce:64k, tcp/pp:8, first/pp:8, or whole groups: shm,"
                                    + " tcp, first, short, agree, started, revoke, shrink, failure, start, heartbeat,"
                                    + " ft, allocation, processor, memory, profile, hog, recovery (default: everything).",
                            "--only"),
                    value("N,...", "Numbers of ranks, 2 to 64 (default 2,4,8,16).", "--np"),
                    value(
                            "NAME,...",
                            "ompi, mpich, mpj (default: those that are installed), bare or none. bare is a Java program"
                                    + " without any library, for some cells: the least that they can take.",
                            "--peers"),
                    value("N", "How often all jobs are started anew (default 3).", "--launches"),
                    value(
                            "N",
                            "Rounds of each job and cell (default 31 for operations under 10 µs, 11 above).",
                            "--rounds"),
                    value("MS", "How long a round takes (default 50).", "--round"),
                    value(
                            "DIR",
                            "Where to write figures/performance.md and its plots (docs for the pages of this project);"
                                    + " what is not measured this time stays as it was.",
                            "--out"),
                    flag("Measure nothing, only write them again.", "--render"),
                    flag("One launch, 7 rounds of 20 ms, one whole job instead of five.", "--quick"),
                    flag("Say what there is to measure, and which peers are found.", "--list"),
                    CommandOption.HELP),
            """

            OMPI=/path measures against the Open MPI installed there as well, with its Java binding if it has one.
            Debian's packages of the peers: openmpi-bin libopenmpi-dev mpich libmpich-dev libmpj-java liblog4j1.2-java.""");

    static CompareSettings parse(String... args) {
        GivenOptions given = OPTIONS.read(args);
        boolean quick = given.has("--quick");
        if (given.has("--render") && !given.has("--out")) {
            throw new IllegalArgumentException("--render wants --out DIR, where the figures are; see --help");
        }
        List<String> peers = given.words("--peers", "ompi,mpich,mpj");
        peers.forEach(peer -> GivenOptions.requireOneOf("--peers", peer, PEERS));
        return new CompareSettings(
                given.words("--only"),
                given.words("--np", "2,4,8,16").stream()
                        .map(np -> (int) GivenOptions.number("--np", np, 2, MOST_RANKS))
                        .toList(),
                peers,
                given.number("--launches", quick ? 1 : 3, 1, 100),
                given.number("--rounds", quick ? 7 : 0, 0, 100_000),
                1e6 * given.number("--round", quick ? 20 : 50, 1, 10_000),
                given.has("--out") ? Path.of(given.text("--out")) : null,
                quick,
                given.has("--list"),
                given.has("--render"),
                given.has("--help"));
    }

    /** The same settings without {@code --only}, so that all cells and measurements are wanted. */
    CompareSettings ofAll() {
        return new CompareSettings(List.of(), ranks, peers, launches, rounds, roundNs, out, quick, list, render, help);
    }

    /**
     * Whether to measure the cell. {@code --only} names a cell by its name, its work, its group, or the group and one
     * of the other two. Without that option all cells are measured.
     */
    boolean wants(String group, Cell cell) {
        return wantsOf(group, cell) || only.stream().anyMatch(word -> isNamed(word, cell));
    }

    /**
     * Whether to measure the cell, where {@code --only} must name the group, alone or with the cell's name or work.
     * Without that option all cells are measured.
     */
    boolean wantsOf(String group, Cell cell) {
        return only.isEmpty()
                || only.stream()
                        .anyMatch(word -> word.equals(group)
                                || word.startsWith(group + "/") && isNamed(word.substring(group.length() + 1), cell));
    }

    /**
     * Whether to measure something that {@code --only} selects by a single name. Without that option all is measured.
     */
    boolean wants(String name) {
        return only.isEmpty() || only.contains(name);
    }

    private static boolean isNamed(String word, Cell cell) {
        return word.equals(cell.name()) || word.equals(cell.work());
    }
}
