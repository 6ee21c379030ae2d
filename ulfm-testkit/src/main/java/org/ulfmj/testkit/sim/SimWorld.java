package org.ulfmj.testkit.sim;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntBinaryOperator;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.ulfmj.protocol.Timing;
import org.ulfmj.runtime.options.FaultTrigger;
import org.ulfmj.runtime.options.RankSettings;
import org.ulfmj.sim.SeededRandom;
import org.ulfmj.testkit.Program;
import org.ulfmj.testkit.RankMain;
import org.ulfmj.testkit.sim.fault.SimFault;
import org.ulfmj.testkit.sim.fault.SimFaultPlan;

/**
 * An MPI program in simulated time: the whole of the shipped runtime, one thread at a time. The order of all events
 * (which message arrives first, which rank goes on first, when a death becomes known) follows from a seed. The same
 * seed gives the same run, on any machine, of a program that depends on nothing else.
 *
 * <pre>{@code
 * SimResult result = SimWorld.of(8)
 *         .seed(17)
 *         .killing(2, "allReduce", 10)
 *         .run(() -> Program.main(new String[0]));
 * }</pre>
 *
 * <p>Time passes while ranks wait or stand still, and a little in calls; {@code MPI.wtime} tells it. What a program
 * computes between its calls costs nothing. A rank calls MPI from one thread only. A run in which every rank waits, and
 * in which no event will change that, fails. The failure names the call of each rank that waits, and the ranks that it
 * waits for.
 *
 * <p>A world is described, then run, any number of times; a description is not thread-safe. Running worlds do not
 * disturb each other.
 */
public final class SimWorld {
    private static final Duration DEFAULT_DETECTOR_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration DEFAULT_TIMEOUT = Duration.ofHours(1);
    private static final Duration DEFAULT_REAL_TIMEOUT = Duration.ofSeconds(60);
    private static final long DEFAULT_MOST_EVENTS = 20_000_000;
    private static final int MOST_THREADS = 1024;
    private static final long SEEDS_A_SECOND_RUN = 10;
    private static final int RUNS_FOR_A_DIFFERENCE = 3;
    private static final String ADVICE =
            "\nLook for what iterates a HashMap or HashSet, reads nanoTime or currentTimeMillis (use MPI.wtime),"
                    + " draws from Math.random or a Random without a seed, uses another thread, or keeps something in a"
                    + " static or in a thread-local from one run to the next.";

    private final int ranks;
    private final List<String> faults = new ArrayList<>();
    private long seed;
    private RankSettings settings = RankSettings.of(Timing.fromTimeout(DEFAULT_DETECTOR_TIMEOUT.toNanos()));
    private String initialErrorHandler;
    private boolean deathsAreTold = true;
    private boolean doesInputLie;
    private boolean keepsSchedule;
    private boolean runsTwice;
    private boolean drawsBuffering;
    private int joiners;
    private int restarts;
    private IntBinaryOperator hosts = (rank, incarnation) -> 0;
    private Duration timeout = DEFAULT_TIMEOUT;
    private Duration realTimeout = DEFAULT_REAL_TIMEOUT;

    private SimWorld(int ranks) {
        if (ranks < 1) {
            throw new IllegalArgumentException("ranks (" + ranks + ") must be at least 1");
        }
        this.ranks = ranks;
    }

    /** Makes a world of this many ranks, all of which will run the same main. */
    public static SimWorld of(int ranks) {
        return new SimWorld(ranks);
    }

    /** Sets the seed of the run, from which all that is left to chance follows; 0 if not set. */
    public SimWorld seed(long newSeed) {
        seed = newSeed;
        return this;
    }

    /**
     * Kills the first process of a rank as it enters its {@code nth} call of an operation, from 1.
     *
     * @param operation its name in package {@code mpi}, in upper or lower case; {@code *} counts all calls,
     *     {@code iter} stands for {@code MPI.pControl} with the level {@code nth}
     */
    public SimWorld killing(int rank, String operation, long nth) {
        return killing(rank, 0, operation, nth);
    }

    /**
     * As {@link #killing(int, String, long)}, for one incarnation of a rank.
     *
     * @param incarnation 0 for the first process of the rank, 1 for the one that {@link #restarting} puts in its place
     */
    public SimWorld killing(int rank, int incarnation, String operation, long nth) {
        if (rank < 0 || rank >= ranks + joiners) {
            throw new IllegalArgumentException("rank " + rank + " must be from 0 to " + (ranks + joiners - 1));
        }
        if (incarnation < 0) {
            throw new IllegalArgumentException("incarnation " + incarnation + " must be at least 0");
        }
        String moment =
                operation.equalsIgnoreCase(FaultTrigger.ITERATION) ? "iter=" + nth : "op=" + operation + "#" + nth;
        return faults("kill:rank=" + rank + (incarnation == 0 ? "" : ",inc=" + incarnation) + "@" + moment);
    }

    /**
     * Lets a process that dies be started again, as the next incarnation of its rank, with the same main:
     * {@code MPI.isReplacement} is true there, and {@code MPI.Init} returns when the others have called
     * {@code replace}. The seed determines when the new process is there, and when each other rank hears of it: some
     * processes are ready at once, some take seconds.
     *
     * @param most restarts per rank; after that no process is started in its place any more, and the other ranks are
     *     told so. 0 if not set
     */
    public SimWorld restarting(int most) {
        if (most < 0) {
            throw new IllegalArgumentException("restarts (" + most + ") must be at least 0");
        }
        requireNoRestarts(joiners, most);
        restarts = most;
        return this;
    }

    /**
     * Lets more processes join once the world runs, with the same main: {@code MPI.isNewcomer} is true there, and
     * {@code MPI.Init} returns when the others have called {@code grow}. They get the slots behind those that the world
     * has. The seed determines when each is there. A process that is not let in has no result or ends as NOT_ADMITTED.
     * Such a world has no {@link #restarting restarts}, and its ranks have no {@link #faults faults} but deaths. Faults
     * of processes that join, which are known by their slots, are set after this call.
     *
     * @param processes how many; the world may have as many members more
     */
    public SimWorld joining(int processes) {
        if (processes < 0) {
            throw new IllegalArgumentException("joining processes (" + processes + ") must be at least 0");
        }
        requireNoRestarts(processes, restarts);
        joiners = processes;
        return this;
    }

    private static void requireNoRestarts(int joiners, int restarts) {
        if (joiners > 0 && restarts > 0) {
            throw new IllegalArgumentException("a world that processes join has no restarts");
        }
    }

    /**
     * Puts ranks on several hosts, which decides how collectives and agreements are made; all ranks are on one host if
     * this is not called. Messages travel as they do on one host.
     *
     * @param ofRanks the number of the host of each rank, also of the processes that {@link #restarting} puts in its
     *     place; processes that join are on the last rank's host
     */
    public SimWorld hosts(int... ofRanks) {
        if (ofRanks.length != ranks) {
            throw new IllegalArgumentException(ranks + " ranks and the hosts of " + ofRanks.length);
        }
        int[] hostOfRank = ofRanks.clone();
        return hosts((rank, incarnation) -> hostOfRank[Math.min(rank, hostOfRank.length - 1)]);
    }

    /** As {@link #hosts(int...)}, with the number of the host by rank and incarnation. */
    public SimWorld hosts(IntBinaryOperator ofProcesses) {
        hosts = ofProcesses;
        return this;
    }

    /**
     * Adds faults, rules separated by {@code ;}. The parts that a rule leaves to chance are drawn from the seed.
     *
     * <pre>
     * kill:rank=RANKS@WHEN                       dies; the others are told, after different delays
     * vanish:rank=RANKS@WHEN                     dies, and only its silence shows it
     * crash:rank=RANKS@frame=K|random|random(K)  dies between two frames that it sends; byte= likewise
     * pause:rank=RANKS[:for=DURATION]@WHEN       stands still
     * mute:rank=RANKS@WHEN                       stands still for ever
     * suspect:rank=RANKS[:by=R]@t=…              is declared failed by another rank, though it lives
     * cut:rank=RANKS[:to=R][:for=DURATION]@t=…   no frame passes between two ranks, for a time
     * launcher@t=…                               the launcher dies: no process is started, no death told
     * random, random(K)                          drawn faults, at most K ranks killed (all but one if not said)
     * </pre>
     *
     * RANKS, with the incarnation that is meant ({@code 2,inc=1}), and WHEN are those of the launcher's
     * {@code --inject}, without its events and bytes: {@code 3}, {@code 1-4}, {@code last}, {@code any(2)};
     * {@code t=2ms}, {@code t=random}, {@code op=allreduce#100}, {@code op=send#random(50)}, {@code iter=40};
     * {@code op=*} alone is a call that the seed chooses. A pause, a silence, a cut or a suspicion may end ranks that
     * no fault kills.
     *
     * @throws IllegalArgumentException saying which rule cannot be understood, and why
     */
    public SimWorld faults(String rules) {
        SimFaultPlan.parse(List.of(rules), ranks + joiners);
        faults.add(rules);
        return this;
    }

    /**
     * Lets the seed choose from which size on a message waits for its receive, and how many bytes may be under way
     * without one. That finds programs that are right only because their messages are small enough to be buffered.
     */
    public SimWorld anyBuffering() {
        drawsBuffering = true;
        return this;
    }

    /**
     * Leaves what arrives unread for a short time while its rank waits in no call, as happens in a rank whose program
     * computes. If this is not set, the engine works as soon as something has arrived.
     */
    public SimWorld lettingInputLie() {
        doesInputLie = true;
        return this;
    }

    /** Keeps the first million events for {@link SimResult#schedule}, which costs memory. */
    public SimWorld keepingSchedule() {
        keepsSchedule = true;
        return this;
    }

    /**
     * Runs each seed twice, unless the first run fails. If the second run differs, the program depends on an influence
     * other than its seed, and the run fails with the first difference, if one is found.
     */
    public SimWorld twice() {
        runsTwice = true;
        return this;
    }

    /** Sets how much simulated time the program may take; an hour if not set. */
    public SimWorld timeout(Duration bound) {
        timeout = bound;
        return this;
    }

    /** Sets how much real time a run may take; 60 s if not set. */
    public SimWorld realTimeout(Duration bound) {
        realTimeout = bound;
        return this;
    }

    /** Sets how long a silence lasts before it counts as a failure, in simulated time; 5 s if not set. */
    public SimWorld detectorTimeout(Duration silence) {
        Timing timing = Timing.fromTimeout(silence.toNanos());
        settings = settings.withTiming(timing);
        return this;
    }

    /** Hides deaths: a death is found out only by the silence of the dead rank, after {@link #detectorTimeout}. */
    public SimWorld withoutEvidence() {
        deathsAreTold = false;
        return this;
    }

    /** Changes the settings of the ranks, for instance their eager limit. */
    public SimWorld settings(UnaryOperator<RankSettings> change) {
        settings = change.apply(settings);
        return this;
    }

    /** Sets the error handler that communicators start with: {@code mpi_errors_return} or one of the other names. */
    public SimWorld initialErrorHandler(String name) {
        initialErrorHandler = name;
        return this;
    }

    /**
     * Runs {@code main} at every rank and returns when all have ended. The program's statics are shared by all ranks,
     * and outlive the run.
     *
     * @throws SimFailure if the program would hang or exceeds a bound of the run, or if it was to be run {@link #twice}
     *     and the runs differ
     */
    public SimResult run(RankMain main) {
        return runSeed(seed, Mains.shared(main));
    }

    /**
     * Runs a program whose classes each rank loads for itself, so that ranks do not share its statics.
     *
     * @throws SimFailure as {@link #run(RankMain)}
     */
    public SimResult run(Class<?> main, String... args) {
        return runSeed(seed, Mains.loaded(new Program(main, args)));
    }

    /**
     * Runs the program some more times. Returns the first difference between two runs, if one was found, and where to
     * look for its cause. The runs may hang.
     *
     * @param mains gives each run another main, with the objects that its ranks share
     */
    public String difference(Supplier<RankMain> mains) {
        return firstDifference(seed, () -> Mains.shared(mains.get()));
    }

    /**
     * Runs a program with classes loaded per rank, in a world with this seed and these faults and no other settings.
     */
    public static SimResult run(int ranks, long seed, String faults, Class<?> main, String... args) {
        return of(ranks).seed(seed).faults(faults).run(main, args);
    }

    /**
     * Runs the seeds from {@code first} to {@code last} on several threads at once, and stops soon after ten have
     * failed. Seeds that ten divides are run twice, and all of them after {@link #twice}, unless the first run fails.
     *
     * @param last at least {@code first}
     * @param threads from 1 to {@value #MOST_THREADS}
     * @param mains gives each run of a seed another main, with the objects that its ranks share
     * @param check throws if a run that ended is wrong
     */
    public Seeds runSeeds(long first, long last, int threads, LongFunction<RankMain> mains, Consumer<SimResult> check) {
        return search(first, last, threads, each -> Mains.shared(mains.apply(each)), check);
    }

    /** As {@link #runSeeds(long, long, int, LongFunction, Consumer)}, with classes loaded per rank and seed. */
    public Seeds runSeeds(long first, long last, int threads, Class<?> main, String[] args, Consumer<SimResult> check) {
        Program program = new Program(main, args);
        return search(first, last, threads, each -> Mains.loaded(program), check);
    }

    private Seeds search(long first, long last, int threads, LongFunction<Mains> mains, Consumer<SimResult> check) {
        if (last < first || last == Long.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "last (" + last + ") must be from first (" + first + ") to " + (Long.MAX_VALUE - 1));
        }
        if (threads < 1 || threads > MOST_THREADS) {
            throw new IllegalArgumentException("threads (" + threads + ") must be from 1 to " + MOST_THREADS);
        }
        return new Seeds.Search(first, last, each -> {
                    SimResult result = runOnce(each, mains.apply(each), keepsSchedule);
                    require(result);
                    check.accept(result);
                    if (runsTwice || each % SEEDS_A_SECOND_RUN == 0) {
                        requireSame(result, () -> mains.apply(each));
                    }
                    return result;
                })
                .run(threads);
    }

    private SimResult runSeed(long each, Mains mains) {
        SimResult result = runOnce(each, mains, keepsSchedule);
        require(result);
        if (runsTwice) {
            requireSame(result, () -> mains);
        }
        return result;
    }

    private SimResult runOnce(long each, Mains mains, boolean keeps) {
        return new SimJob(plan(each), keeps).run(mains);
    }

    private void require(SimResult result) {
        result.hang().ifPresent(hang -> {
            throw new SimFailure(headline(result) + hang, result);
        });
    }

    private void requireSame(SimResult result, Supplier<Mains> mains) {
        SimResult second = runOnce(result.seed(), mains.get(), false);
        if (second.logHash() == result.logHash()) {
            return;
        }
        // A run that was cut short is not compared: the point where it ended is chance, and not the program's doing.
        if (second.isCutShort()) {
            require(second);
        }
        throw new SimFailure(
                headline(result) + "the program depends on something that is not in its seed: "
                        + firstDifference(result.seed(), mains),
                result);
    }

    private String firstDifference(long each, Supplier<Mains> mains) {
        SimResult one = runOnce(each, mains.get(), true);
        SimResult other = runOnce(each, mains.get(), true);
        // Two runs may be alike by chance even if the program depends on chance, so more runs are tried then.
        for (int more = 1; more < RUNS_FOR_A_DIFFERENCE && other.logHash() == one.logHash(); more++) {
            other = runOnce(each, mains.get(), true);
        }
        return Difference.between(one, other) + ADVICE;
    }

    private String headline(SimResult result) {
        return ranks + " ranks, seed " + result.seed() + ", faults \"" + String.join("; ", result.faults()) + "\": ";
    }

    private RankSettings drawnBuffering(long each) {
        SeededRandom chance = SeededRandom.of(each, "buffering");
        int limitBytes = (int) chance.pick(0, 16, 1024, RankSettings.DEFAULT_EAGER_LIMIT_BYTES);
        return settings.withEager(limitBytes, limitBytes * chance.pick(1, 4, 64));
    }

    private SimPlan plan(long each) {
        List<SimFault> drawn = SimFaultPlan.parse(faults, ranks + joiners)
                .draw(SeededRandom.of(each, "faults"), settings.timing().detectorTimeoutNs(), restarts);
        for (SimFault fault : drawn) {
            if (joiners > 0 && !fault.isDeath()) {
                throw new IllegalArgumentException(
                        "a world that processes join has no faults but deaths of ranks, and" + " there is " + fault);
            }
        }
        return new SimPlan(
                ranks,
                joiners,
                restarts,
                hosts,
                each,
                drawsBuffering ? drawnBuffering(each) : settings,
                drawn,
                initialErrorHandler,
                deathsAreTold,
                doesInputLie,
                timeout.toNanos(),
                realTimeout.toNanos(),
                DEFAULT_MOST_EVENTS);
    }
}
