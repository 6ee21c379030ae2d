package org.ulfmj.benchmarks;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.ulfmj.protocol.NearestName;

/**
 * The command line of {@code benchmarks/compare}. Anything wrong with it is an {@link IllegalArgumentException} that
 * names the option, its value and what it wants.
 *
 * @param only names of what is measured; empty for all
 * @param rounds of each job and cell; 0 for 31 below 10 µs and 11 above
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
    private static final List<String> SWITCHES = List.of("--quick", "--list", "--render", "--help");
    private static final List<String> VALUES =
            List.of("--only", "--np", "--peers", "--launches", "--rounds", "--round", "--out");
    private static final List<String> PEERS = List.of("ompi", "mpich", "mpj", "none");

    static final String USAGE =
            """
            Runs our jobs and those of other MPIs side by side, a round of each in turn, and prints what each took.

            benchmarks/compare [options]
              --only NAME,...   what is measured: pp, rate:8, allreduce:64k, tcp/pp:8, or whole
                                groups: shm, tcp, agree, revoke, shrink, failure, start, heartbeat,
                                ft, allocation, processor, memory, profile, hog, recovery
                                (default: everything)
              --np N,...        numbers of ranks (default 2,4,8,16)
              --peers NAME,...  ompi, mpich, mpj or none (default: those that are installed)
              --launches N      how often all jobs are started anew (default 3)
              --rounds N        of each job and cell (default 31 for operations under 10 µs, 11 above)
              --round MS        how long a round takes (default 50)
              --out DIR         writes figures/performance.md and its plots there (docs for the pages of this
                                project); what is not measured this time stays as it was
              --render          measures nothing, only writes them again
              --quick           one launch, 7 rounds of 20 ms
              --list            what there is to measure, and which peers are found
              --help

            OMPI=/path measures against the Open MPI installed there as well, with its Java binding if it has one.
            Debian's packages of the peers: openmpi-bin libopenmpi-dev mpich libmpich-dev libmpj-java liblog4j1.2-java.""";

    static CompareSettings parse(String[] args) {
        Map<String, String> given = new LinkedHashMap<>();
        for (int i = 0; i < args.length; i++) {
            int equals = args[i].indexOf('=');
            String name = equals < 0 ? args[i] : args[i].substring(0, equals);
            if (SWITCHES.contains(name) && equals < 0) {
                given.put(name, "");
            } else if (VALUES.contains(name)) {
                if (equals < 0 && i + 1 == args.length) {
                    throw new IllegalArgumentException(name + " wants a value; see --help");
                }
                given.put(name, equals < 0 ? args[++i] : args[i].substring(equals + 1));
            } else {
                List<String> known = new ArrayList<>(VALUES);
                known.addAll(SWITCHES);
                throw new IllegalArgumentException(
                        args[i] + ": no such option; the nearest is " + NearestName.to(name, known) + "; see --help");
            }
        }
        boolean quick = given.containsKey("--quick");
        if (given.containsKey("--render") && !given.containsKey("--out")) {
            throw new IllegalArgumentException("--render wants --out DIR, where the figures are; see --help");
        }
        return new CompareSettings(
                words(given.getOrDefault("--only", "")),
                words(given.getOrDefault("--np", "2,4,8,16")).stream()
                        .map(np -> number("--np", np, 2, MOST_RANKS))
                        .toList(),
                peers(words(given.getOrDefault("--peers", "ompi,mpich,mpj"))),
                number("--launches", given.getOrDefault("--launches", quick ? "1" : "3"), 1, 100),
                number("--rounds", given.getOrDefault("--rounds", quick ? "7" : "0"), 0, 100_000),
                1e6 * number("--round", given.getOrDefault("--round", quick ? "20" : "50"), 1, 10_000),
                given.containsKey("--out") ? Path.of(given.get("--out")) : null,
                quick,
                given.containsKey("--list"),
                given.containsKey("--render"),
                given.containsKey("--help"));
    }

    /**
     * Whether to measure the cell. {@code --only} names a cell by its name, its work, its group, or group and name.
     * Without that option all cells are measured.
     */
    boolean wants(String group, Cell cell) {
        return only.isEmpty()
                || only.stream()
                        .anyMatch(word -> word.equals(group)
                                || isNamed(word, cell)
                                || word.startsWith(group + "/") && isNamed(word.substring(group.length() + 1), cell));
    }

    /** Whether to measure what has one name only. Without {@code --only} all is measured. */
    boolean wants(String name) {
        return only.isEmpty() || only.contains(name);
    }

    private static boolean isNamed(String word, Cell cell) {
        return word.equals(cell.name()) || word.equals(cell.work());
    }

    private static List<String> peers(List<String> names) {
        for (String name : names) {
            if (!PEERS.contains(name)) {
                throw new IllegalArgumentException("--peers " + name + ": no such peer; the nearest is "
                        + NearestName.to(name, PEERS) + ", all are " + String.join(" ", PEERS));
            }
        }
        return names;
    }

    private static List<String> words(String list) {
        return Arrays.stream(list.split(",")).filter(word -> !word.isEmpty()).toList();
    }

    private static int number(String option, String text, int least, int most) {
        try {
            int number = Integer.parseInt(text);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // The message below says all there is to say.
        }
        throw new IllegalArgumentException(option + " " + text + ": wants a number from " + least + " to " + most);
    }
}
