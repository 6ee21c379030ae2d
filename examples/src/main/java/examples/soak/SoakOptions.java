package examples.soak;

import java.util.ArrayList;
import java.util.List;

/**
 * The command line of {@code ./soak}.
 *
 * @param runs how many jobs
 * @param seed of the first run; each run has the next seed
 * @param ranks of each job
 * @param deaths in each job
 * @param fault how ranks are struck
 * @param transport value of {@code ulfm.transport}, empty for the default
 * @param calls a death comes within this many calls of its victim
 * @param steps of the survivors after the last death
 * @param limitMs how soon after the last death all survivors must have recovered
 */
record SoakOptions(
        int runs, long seed, int ranks, int deaths, Fault fault, String transport, int calls, int steps, long limitMs) {
    static final String USAGE = String.join(
            "\n",
            "usage: ./soak [--runs N] [--seed S] [--ranks N] [--deaths N] [--in-finalize | --stop] [--transport shm|tcp]",
            "              [--calls N] [--steps N] [--limit MS]",
            "  --runs N        jobs to run, one after the other (20)",
            "  --seed S        the plan of the first run; run i has seed S + i (drawn, and printed)",
            "  --ranks N       ranks of a job, 2 to 24 (4)",
            "  --deaths N      ranks of each job that are struck, fewer than all (1)",
            "  --in-finalize   strike while the victim is in Finalize",
            "  --stop          SIGSTOP for longer than the detector's timeout instead of SIGKILL",
            "  --transport T   the medium between the ranks: shm or tcp (what mpiexec chooses)",
            "  --calls N       a victim is struck in one of its first N calls (2000)",
            "  --steps N       steps of the survivors after the last death (100)",
            "  --limit MS      time for the survivors to recover, beyond the detector's timeout with --stop (2000)");
    private static final int MOST_RANKS = 24;
    /** The number of different seeds, so that a seed is short enough to be typed. */
    private static final long SEEDS = 1_000_000_000L;

    /** The kinds of faults: what happens to a victim, and when. */
    enum Fault {
        KILL,
        KILL_IN_FINALIZE,
        STOP
    }

    /** @throws IllegalArgumentException naming the wrong argument and the reason */
    static SoakOptions parse(List<String> arguments) {
        int runs = 20;
        long seed = Math.floorMod(Mix.of(System.nanoTime()), SEEDS);
        int ranks = 4;
        int deaths = 1;
        Fault fault = Fault.KILL;
        String transport = "";
        int calls = 2000;
        int steps = 100;
        long limitMs = 2000;
        List<String> left = new ArrayList<>(arguments);
        while (!left.isEmpty()) {
            String name = left.remove(0);
            switch (name) {
                case "--runs" -> runs = (int) number(name, left, 1, Integer.MAX_VALUE);
                case "--seed" -> seed = number(name, left, 0, Long.MAX_VALUE / 2);
                case "--ranks" -> ranks = (int) number(name, left, 2, MOST_RANKS);
                case "--deaths" -> deaths = (int) number(name, left, 0, MOST_RANKS - 1);
                case "--in-finalize" -> fault = Fault.KILL_IN_FINALIZE;
                case "--stop" -> fault = Fault.STOP;
                case "--transport" -> transport = transport(name, left);
                case "--calls" -> calls = (int) number(name, left, 1, Integer.MAX_VALUE);
                case "--steps" -> steps = (int) number(name, left, 0, Integer.MAX_VALUE);
                case "--limit" -> limitMs = number(name, left, 1, Integer.MAX_VALUE);
                default -> throw new IllegalArgumentException("unknown argument " + name);
            }
        }
        if (deaths >= ranks) {
            throw new IllegalArgumentException("--deaths (" + deaths + ") must be less than --ranks (" + ranks + ")");
        }
        return new SoakOptions(runs, seed, ranks, deaths, fault, transport, calls, steps, limitMs);
    }

    private static long number(String name, List<String> left, long least, long most) {
        String text = value(name, left);
        long number;
        try {
            number = Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(name + " (" + text + ") must be a number", e);
        }
        if (number < least || number > most) {
            throw new IllegalArgumentException(name + " (" + text + ") must be from " + least + " to " + most);
        }
        return number;
    }

    private static String transport(String name, List<String> left) {
        String text = value(name, left);
        if (!text.equals("shm") && !text.equals("tcp")) {
            throw new IllegalArgumentException(name + " (" + text + ") must be shm or tcp");
        }
        return text;
    }

    private static String value(String name, List<String> left) {
        if (left.isEmpty()) {
            throw new IllegalArgumentException(name + " needs a value");
        }
        return left.remove(0);
    }

    /** The arguments with which one run is repeated. */
    String repeating(long runSeed) {
        StringBuilder text = new StringBuilder("./soak --runs 1 --seed ").append(runSeed);
        text.append(" --ranks ").append(ranks).append(" --deaths ").append(deaths);
        text.append(fault == Fault.STOP ? " --stop" : fault == Fault.KILL_IN_FINALIZE ? " --in-finalize" : "");
        text.append(transport.isEmpty() ? "" : " --transport " + transport);
        return text.append(" --calls ")
                .append(calls)
                .append(" --steps ")
                .append(steps)
                .toString();
    }
}
