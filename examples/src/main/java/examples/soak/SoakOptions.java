package examples.soak;

import static org.ulfmj.command.CommandOption.flag;
import static org.ulfmj.command.CommandOption.value;

import java.util.List;
import org.ulfmj.command.CommandOption;
import org.ulfmj.command.GivenOptions;
import org.ulfmj.command.OptionTable;

/**
 * What the command line of {@code ./soak} says.
 *
 * @param runs how many jobs
 * @param seed of the first; each run has the next one
 * @param ranks of each job
 * @param deaths in each job
 * @param fault how ranks are struck
 * @param transport value of {@code ulfm.transport}, empty for the default
 * @param inject more faults for {@code mpiexec --inject}, which no rank may notice; empty for none
 * @param calls the first death comes at one of the victim's first {@code calls} calls; not used for deaths in Finalize
 * @param steps of the survivors after the last death
 * @param limitMs how soon after the last death all survivors must have recovered; with {@code --stop} the detector's
 *     timeout is added
 */
record SoakOptions(
        int runs,
        long seed,
        int ranks,
        int deaths,
        Fault fault,
        String transport,
        String inject,
        int calls,
        int steps,
        long limitMs) {
    private static final int MOST_RANKS = 24;

    private static final long USUAL_LIMIT_MS = 2000;
    /** A drawn seed is smaller than this, so that it is short enough to be typed. */
    private static final long SEEDS = 1_000_000_000L;

    /** What happens to a victim, and when. */
    enum Fault {
        KILL,
        KILL_IN_FINALIZE,
        STOP
    }

    static final OptionTable OPTIONS = OptionTable.of(
            "./soak",
            "Runs short jobs in which ranks are killed at random moments and every byte that arrives is checked.",
            List.of(
                    value("N", "Jobs to run, one after the other (default 20).", "--runs"),
                    value(
                            "S",
                            "The plan of the first run; run i has seed S + i (default: drawn, and printed).",
                            "--seed"),
                    value("N", "Ranks of a job, 2 to 24 (default 4).", "--ranks"),
                    value("N", "Ranks of each job that are struck, fewer than all (default 1).", "--deaths"),
                    flag("Strike while the victim is in Finalize.", "--in-finalize"),
                    flag("SIGSTOP for longer than the detector's timeout instead of SIGKILL.", "--stop"),
                    value("shm|tcp", "The medium between the ranks (default: what mpiexec chooses).", "--transport"),
                    value(
                            "RULES",
                            "More faults, which no rank may notice, for mpiexec --inject; drawn anew in each run.",
                            "--inject"),
                    value("N", "A victim is struck in one of its first N calls (default 2000).", "--calls"),
                    value("N", "Steps of the survivors after the last death (default 100).", "--steps"),
                    value(
                            "MS",
                            "Time for the survivors to recover, beyond the detector's timeout with --stop (default"
                                    + " 2000).",
                            "--limit"),
                    CommandOption.HELP),
            "");

    /** @throws IllegalArgumentException saying what is wrong with which argument */
    static SoakOptions parse(String... arguments) {
        return of(OPTIONS.read(arguments));
    }

    static SoakOptions of(GivenOptions given) {
        int ranks = given.number("--ranks", 4, 2, MOST_RANKS);
        int deaths = given.number("--deaths", 1, 0, MOST_RANKS - 1);
        if (deaths >= ranks) {
            throw new IllegalArgumentException("--deaths " + deaths + ": must be less than --ranks " + ranks);
        }
        if (given.has("--stop") && given.has("--in-finalize")) {
            throw new IllegalArgumentException("--stop and --in-finalize are given; write one of them");
        }
        Fault other = given.has("--in-finalize") ? Fault.KILL_IN_FINALIZE : Fault.KILL;
        return new SoakOptions(
                given.number("--runs", 20, 1, Integer.MAX_VALUE),
                given.number("--seed", Math.floorMod(Mix.of(System.nanoTime()), SEEDS), 0, Long.MAX_VALUE / 2),
                ranks,
                deaths,
                given.has("--stop") ? Fault.STOP : other,
                given.choice("--transport", "", List.of("shm", "tcp")),
                given.text("--inject") == null ? "" : given.text("--inject"),
                given.number("--calls", 2000, 1, Integer.MAX_VALUE),
                given.number("--steps", 100, 0, Integer.MAX_VALUE),
                given.number("--limit", USUAL_LIMIT_MS, 1, Integer.MAX_VALUE));
    }

    /** Returns the command line that repeats one run. */
    String repeating(long runSeed) {
        StringBuilder text = new StringBuilder("./soak --runs 1 --seed ").append(runSeed);
        text.append(" --ranks ").append(ranks).append(" --deaths ").append(deaths);
        text.append(fault == Fault.STOP ? " --stop" : fault == Fault.KILL_IN_FINALIZE ? " --in-finalize" : "");
        text.append(transport.isEmpty() ? "" : " --transport " + transport);
        text.append(inject.isEmpty() ? "" : " --inject '" + inject + "'");
        text.append(limitMs == USUAL_LIMIT_MS ? "" : " --limit " + limitMs);
        return text.append(" --calls ")
                .append(calls)
                .append(" --steps ")
                .append(steps)
                .toString();
    }
}
