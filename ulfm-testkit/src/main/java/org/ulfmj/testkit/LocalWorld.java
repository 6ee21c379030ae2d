package org.ulfmj.testkit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntBinaryOperator;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;
import org.ulfmj.protocol.Timing;
import org.ulfmj.runtime.options.FaultTrigger;
import org.ulfmj.runtime.options.RankSettings;

/**
 * An MPI program whose ranks are threads of this process: the whole of the shipped runtime, over memory instead of
 * sockets. For tests of programs and of their recovery.
 *
 * <pre>{@code
 * LocalResult result = LocalWorld.of(4)
 *         .killing(2, "allReduce", 10)
 *         .timeout(Duration.ofSeconds(20))
 *         .run(() -> Program.main(new String[0]));
 * }</pre>
 *
 * <p>{@code MPI.COMM_WORLD} and the static methods of {@code MPI} work for the rank of the calling thread; a program's
 * statics are shared by all ranks, except in {@link #runMain}. Faults are those of {@link #killing} and {@link Faults}.
 * The other ranks are told that a rank was killed, on certain evidence, as if a launcher had waited for it, unless
 * {@link #withoutEvidence} was called.
 *
 * <p>A world is described, then run, any number of times; a description is not thread-safe. Running worlds do not
 * disturb each other.
 */
public final class LocalWorld {
    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(60);
    /** Deaths are known on evidence, so a silence should count as a failure only in a test about silences. */
    private static final Duration DEFAULT_DETECTOR_TIMEOUT = Duration.ofSeconds(20);

    private final int ranks;
    private final Map<Integer, List<FaultTrigger>> triggers = new TreeMap<>();
    private Duration timeout = DEFAULT_TIMEOUT;
    /**
     * How many collectives of a communicator go by messages before those in shared memory: few, so that short programs
     * are tried with shared memory too.
     */
    private static final int HOST_COLLECTIVES_AFTER = 2;

    private RankSettings settings;
    private String initialErrorHandler;
    private boolean deathsAreTold = true;
    private int joiners;
    private int restarts;
    private IntBinaryOperator hosts = (rank, incarnation) -> 0;

    private LocalWorld(int ranks) {
        if (ranks < 1) {
            throw new IllegalArgumentException("ranks (" + ranks + ") must be at least 1");
        }
        this.ranks = ranks;
        boolean crowded = ranks > Runtime.getRuntime().availableProcessors();
        settings = RankSettings.of(Timing.fromTimeout(DEFAULT_DETECTOR_TIMEOUT.toNanos()))
                .withHostCollectivesAfter(HOST_COLLECTIVES_AFTER)
                .withWait(false, crowded);
    }

    /** Describes a world of this many ranks, all of which will run the same main. */
    public static LocalWorld of(int ranks) {
        return new LocalWorld(ranks);
    }

    /** Runs a program without faults; see {@link #run(RankMain)}. */
    public static LocalResult run(int ranks, RankMain main) {
        return of(ranks).run(main);
    }

    /**
     * Kills the first process of a rank as it enters its {@code nth} call of an operation, from 1.
     *
     * @param operation its name in package {@code mpi}, in upper or lower case; {@code *} counts all calls,
     *     {@code iter} stands for {@code MPI.pControl} with the level {@code nth}
     */
    public LocalWorld killing(int rank, String operation, long nth) {
        return killing(rank, 0, operation, nth);
    }

    /**
     * As {@link #killing(int, String, long)}, for one incarnation of a rank.
     *
     * @param incarnation 0 for the first process of the rank, 1 for the one that {@link #restarting} puts in its place
     */
    public LocalWorld killing(int rank, int incarnation, String operation, long nth) {
        if (rank < 0 || rank >= ranks + joiners) {
            throw new IllegalArgumentException("rank " + rank + " must be from 0 to " + (ranks + joiners - 1));
        }
        List<FaultTrigger> ofRank = triggers.computeIfAbsent(rank, key -> new ArrayList<>());
        if (incarnation < 0) {
            throw new IllegalArgumentException("incarnation " + incarnation + " must be at least 0");
        }
        ofRank.add(new FaultTrigger(ofRank.size(), operation, nth, incarnation));
        return this;
    }

    /**
     * Lets a process that dies be started again as the next incarnation of its rank, with the same main:
     * {@code MPI.isReplacement} is true there, and {@code MPI.Init} returns when the others have called
     * {@code replace}. If they end without that, the newcomer ends too, as {@link RankEnd#NOT_ADMITTED}. The first
     * restart of a rank takes some milliseconds; later ones may be put off.
     *
     * @param most restarts per rank, those after a preemption not counted; after that no process is started in its
     *     place any more, and the other ranks are told so. 0 if not set
     */
    public LocalWorld restarting(int most) {
        if (most < 0) {
            throw new IllegalArgumentException("restarts (" + most + ") must be at least 0");
        }
        if (most > 0 && joiners > 0) {
            throw new IllegalArgumentException("a world that processes join has no restarts");
        }
        restarts = most;
        return this;
    }

    /**
     * Lets more processes join once the world runs, with the same main: {@code MPI.isNewcomer} is true there, and
     * {@code MPI.Init} returns when the others have called {@code grow}. They get the ranks behind those that the world
     * has. A process that is not let in has no result or ends as {@link RankEnd#NOT_ADMITTED}. Such a world has no
     * {@link #restarting restarts}. Faults of processes that join are set after this call.
     *
     * @param processes how many; the world may have as many members more
     */
    public LocalWorld joining(int processes) {
        if (processes < 0) {
            throw new IllegalArgumentException("joining processes (" + processes + ") must be at least 0");
        }
        if (processes > 0 && restarts > 0) {
            throw new IllegalArgumentException("a world that processes join has no restarts");
        }
        joiners = processes;
        return this;
    }

    /**
     * Puts ranks on several hosts, which decides how collectives and agreements are made; all ranks are on one host if
     * this is not called. Messages travel as they do on one host.
     *
     * @param ofRanks the number of the host of each rank, also of the processes that {@link #restarting} puts in its
     *     place
     */
    public LocalWorld hosts(int... ofRanks) {
        if (ofRanks.length != ranks) {
            throw new IllegalArgumentException(ranks + " ranks and the hosts of " + ofRanks.length);
        }
        int[] hostOfRank = ofRanks.clone();
        // Processes that join are on the host of the last rank.
        return hosts((rank, incarnation) -> hostOfRank[Math.min(rank, ranks - 1)]);
    }

    /** As {@link #hosts(int...)}, with the number of the host by rank and incarnation. */
    public LocalWorld hosts(IntBinaryOperator ofProcesses) {
        hosts = ofProcesses;
        return this;
    }

    /** Sets how long the program may take, once all ranks of the first world are started; 60 s if not set. */
    public LocalWorld timeout(Duration bound) {
        timeout = bound;
        return this;
    }

    /** Sets how long a silence lasts before it counts as a failure; 20 s if not set. */
    public LocalWorld detectorTimeout(Duration silence) {
        settings = settings.withTiming(Timing.fromTimeout(silence.toNanos()));
        return this;
    }

    /** Hides deaths: a death is found out only by the silence of the dead rank, after {@link #detectorTimeout}. */
    public LocalWorld withoutEvidence() {
        deathsAreTold = false;
        return this;
    }

    /** Changes the settings of the ranks, for instance their eager limit. */
    public LocalWorld settings(UnaryOperator<RankSettings> change) {
        settings = change.apply(settings);
        return this;
    }

    /** Sets the error handler that communicators start with: {@code mpi_errors_return} or one of the other names. */
    public LocalWorld initialErrorHandler(String name) {
        initialErrorHandler = name;
        return this;
    }

    /**
     * Runs {@code main} at every rank and returns when all ranks have ended.
     *
     * @throws AssertionError if that takes longer than the bound of {@link #timeout}; the message has the stack of
     *     every rank whose thread still runs, and what that rank waits for
     */
    public LocalResult run(RankMain main) {
        return start(rank -> main);
    }

    /**
     * Runs a program whose classes each rank loads for itself, so that ranks do not share its statics, as processes do
     * not.
     *
     * @param main has a {@code public static void main(String[])}
     * @throws AssertionError as {@link #run(RankMain)}
     */
    public LocalResult runMain(Class<?> main, String... args) {
        Program program = new Program(main, args);
        return start(rank -> program.load());
    }

    /** Runs a program with its own classes at each rank, without faults; see {@link #runMain(Class, String...)}. */
    public static LocalResult runMain(int ranks, Class<?> main, String... args) {
        return of(ranks).runMain(main, args);
    }

    /**
     * Runs a program in which each rank may have another main. The mains are asked for one after another, each as its
     * rank is started. The time of the run begins when all ranks are started.
     */
    LocalResult start(IntFunction<RankMain> mains) {
        LocalPlan plan = new LocalPlan(
                ranks,
                joiners,
                restarts,
                hosts,
                settings,
                triggers,
                initialErrorHandler,
                deathsAreTold,
                timeout.toNanos());
        return new LocalJob(plan, mains).run();
    }
}
