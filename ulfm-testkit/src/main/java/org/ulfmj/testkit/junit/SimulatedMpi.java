package org.ulfmj.testkit.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The test method is the main of every rank of an MPI program, which runs in simulated time under one seed after the
 * other.
 *
 * <pre>{@code
 * @SimulatedMpi(ranks = 8, seeds = 1000, faults = "kill:rank=any(2)@op=*")
 * void shouldFinishWhicheverRankDies() {
 *     MPI.Init(new String[0]);
 *     ...
 *     MPI.Finalize();
 * }
 * }</pre>
 *
 * <p>A seed decides all that the faults leave open: how long each message travels, in which order the ranks go on,
 * which ranks die, and in which call. The method may have a parameter of type {@link SimulatedRank}, by which a rank
 * says what it has computed. Static fields, and the fields of the test object, are shared by all ranks and seeds;
 * set-up methods run once, before the first seed.
 *
 * <p>A seed fails if a rank that was not killed throws or returns without Finalize, if the ranks wait for each other
 * for ever, if the run exceeds a bound, if the job aborts with a code that is not expected, if the results of two ranks
 * that finalized differ, if the library breaks an invariant, or if a rank is fenced or silenced without a reason: a
 * pause, a silence, a cut or a suspicion of the drawn plan, or a suspicion of the program. Then the test ends, with the
 * seed, its faults, the last calls of each rank, the waits of the ranks if the program hangs, and the smallest plan of
 * faults found with which it still fails. The first seed, every tenth after it and a seed that fails run twice, unless
 * the first run was cut short by real time: where the two runs differ, the program depends on something that is not its
 * seed (the order of a hash set, a clock, a random number), and the test fails too.
 *
 * <p>These properties, of the JVM or of the test platform, change a run without a change of the source:
 * {@code sim.seeds} is the number of seeds, {@code sim.seed} the only seed, {@code sim.faults}, {@code sim.ranks} and
 * {@code sim.restarts} stand for the attributes.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Test
@ExtendWith(SimulatedMpiExtension.class)
public @interface SimulatedMpi {
    /** How many ranks the program has. */
    int ranks() default 4;

    /** How many seeds are run, from {@link #firstSeed} on. */
    int seeds() default 100;

    /** The lowest seed. */
    long firstSeed() default 1;

    /**
     * The faults, in the syntax of {@link org.ulfmj.testkit.sim.SimWorld#faults}: rules such as
     * {@code kill:rank=2@op=send#3}, separated by semicolons. {@code any(k)} stands for {@code k} ranks, and
     * {@code op=*} for a call, that the seed draws. Empty: no faults.
     */
    String faults() default "";

    /**
     * How often a rank whose process died is started again at most, each time as its next incarnation, with the same
     * method as main; {@code MPI.isReplacement} is true there.
     */
    int restarts() default 0;

    /** The codes with which the job may be aborted, by {@code abort} or an error handler; any other is a failure. */
    int[] mayAbortWith() default {};

    /** For how many seconds at most a smaller plan is searched once a seed has failed; 0 for no search. */
    int minimiseSeconds() default 10;
}
