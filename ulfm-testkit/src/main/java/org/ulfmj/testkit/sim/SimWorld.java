package org.ulfmj.testkit.sim;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.ulfmj.protocol.Timing;
import org.ulfmj.runtime.FaultTrigger;
import org.ulfmj.runtime.RankSettings;
import org.ulfmj.testkit.RankMain;

/**
 * An MPI program in simulated time: the whole of the shipped runtime, one thread at a time, and everything that could happen in
 * one order or another (which message arrives first, who goes on first, when a death becomes known) follows from a seed. The
 * same seed gives the same run, on any machine.
 *
 * <pre>{@code
 * SimResult result = SimWorld.of(8)
 *         .seed(17)
 *         .killing(2, "allReduce", 10)
 *         .run(() -> Program.main(new String[0]));
 * }</pre>
 *
 * <p>Time passes only while ranks wait, and a little at each call; {@code MPI.wtime} tells it. Computing costs nothing. A
 * rank calls MPI from one thread only. A run in which every rank waits and nothing that could change that will happen fails at
 * once, with who waits for whom in which call.
 *
 * <p>A world is described, then run, any number of times; descriptions are not for several threads, running worlds do not
 * disturb each other.
 */
public final class SimWorld {
    private static final Duration DEFAULT_DETECTOR_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration DEFAULT_TIMEOUT = Duration.ofHours(1);
    private static final Duration DEFAULT_REAL_TIMEOUT = Duration.ofSeconds(60);
    private static final long DEFAULT_MOST_EVENTS = 20_000_000;

    private final int ranks;
    private final Map<Integer, List<FaultTrigger>> triggers = new TreeMap<>();
    private long seed;
    private RankSettings settings = RankSettings.of(Timing.fromTimeout(DEFAULT_DETECTOR_TIMEOUT.toNanos()));
    private String initialErrorHandler;
    private boolean deathsAreTold = true;
    private Duration timeout = DEFAULT_TIMEOUT;
    private Duration realTimeout = DEFAULT_REAL_TIMEOUT;

    private SimWorld(int ranks) {
        if (ranks < 1) {
            throw new IllegalArgumentException("ranks (" + ranks + ") must be at least 1");
        }
        this.ranks = ranks;
    }

    /** A world of so many ranks, all of which will run the same main. */
    public static SimWorld of(int ranks) {
        return new SimWorld(ranks);
    }

    /** Names the run: all that is left to chance follows from it; 0 if not said. */
    public SimWorld seed(long newSeed) {
        seed = newSeed;
        return this;
    }

    /**
     * Kills a rank as it enters its {@code nth} call of an operation, from 1.
     *
     * @param operation its name in package {@code mpi}, in any case; {@code *} counts all calls, {@code iter} stands for
     *     {@code MPI.pControl} with the level {@code nth}
     */
    public SimWorld killing(int rank, String operation, long nth) {
        if (rank < 0 || rank >= ranks) {
            throw new IllegalArgumentException("rank " + rank + " must be from 0 to " + (ranks - 1));
        }
        List<FaultTrigger> ofRank = triggers.computeIfAbsent(rank, key -> new ArrayList<>());
        ofRank.add(new FaultTrigger(ofRank.size(), operation, nth));
        return this;
    }

    /** How much simulated time the program may take; an hour if not said. */
    public SimWorld timeout(Duration bound) {
        timeout = bound;
        return this;
    }

    /** How much real time a run may take; 60 s if not said. */
    public SimWorld realTimeout(Duration bound) {
        realTimeout = bound;
        return this;
    }

    /** Silence that counts as a failure, in simulated time; 5 s if not said. */
    public SimWorld detectorTimeout(Duration silence) {
        Timing timing = Timing.fromTimeout(silence.toNanos());
        settings = settings.withTiming(timing);
        return this;
    }

    /** Nobody is told of a death: the others find out by the silence, after {@link #detectorTimeout}. */
    public SimWorld withoutEvidence() {
        deathsAreTold = false;
        return this;
    }

    /** Changes what the ranks' settings say, for instance their eager limit. */
    public SimWorld settings(UnaryOperator<RankSettings> change) {
        settings = change.apply(settings);
        return this;
    }

    /** The error handler that communicators start with: {@code mpi_errors_return} and its sisters. */
    public SimWorld initialErrorHandler(String name) {
        initialErrorHandler = name;
        return this;
    }

    /**
     * Runs {@code main} at every rank and returns when all have ended. The program's statics are shared by all ranks.
     *
     * @throws SimFailure if the program would hang
     */
    public SimResult run(RankMain main) {
        SimResult result = new SimJob(plan(), false).run(main);
        result.hang().ifPresent(hang -> {
            throw new SimFailure("seed " + seed + ", " + ranks + " ranks: " + hang, result);
        });
        return result;
    }

    private SimPlan plan() {
        return new SimPlan(
                ranks,
                seed,
                settings,
                triggers,
                initialErrorHandler,
                deathsAreTold,
                timeout.toNanos(),
                realTimeout.toNanos(),
                DEFAULT_MOST_EVENTS);
    }
}
