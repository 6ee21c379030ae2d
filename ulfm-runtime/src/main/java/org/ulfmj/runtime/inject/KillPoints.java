package org.ulfmj.runtime.inject;

import java.util.List;

/**
 * The named points at which a plan may have a fault ({@code point=NAME}). Code outside the engine that passes such a
 * point calls the rank's {@code RankRuntime.faultPoint}; each process counts its own passages, from 1.
 */
public final class KillPoints {
    /** A newcomer has been told, in {@code MPI.Init}, that it must wait for its admission. */
    public static final String JOIN_PENDING = "join.pending";
    /**
     * Passed by a member in {@code replace} or {@code grow}, once per newcomer: the member knows that the newcomer is
     * to be in the next world, and does not know yet that all other members know.
     */
    public static final String REPLACE_OFFERED = "replace.offered";
    /**
     * A member has entered the next world and told those newcomers so that are its neighbours on the overlay, but not
     * the launcher.
     */
    public static final String REPLACE_ADMITTED = "replace.admitted";
    /** A newcomer has been admitted, and {@code MPI.Init} is about to return. */
    public static final String JOIN_ADMITTED = "join.admitted";
    /**
     * A collective of the recovery mode has its result, and this run of the program has not called loadCheckpoint yet
     * (whether or not there is a checkpoint to load).
     */
    public static final String RABIT_BOOTSTRAP = "rabit.bootstrap";
    /**
     * A collective of the recovery mode after the first load of a checkpoint has its result, and has not put the result
     * into its log.
     */
    public static final String RABIT_BEFORE_LOG = "rabit.before-log";
    /** This rank has copied its local model, if any, to its replicas; the checkpoint is not agreed on yet. */
    public static final String RABIT_BEFORE_COMMIT = "rabit.before-commit";
    /**
     * The members have agreed on a checkpoint, or on the shutdown of the recovery mode, and this rank has not given up
     * the older checkpoint yet.
     */
    public static final String RABIT_AFTER_COMMIT = "rabit.after-commit";
    /** The call that loads the last checkpoint, if there is one, has begun. */
    public static final String RABIT_LOAD = "rabit.load";
    /** A recovery of the recovery mode begins, or is tried again. */
    public static final String RABIT_RECOVER = "rabit.recover";
    /** In a recovery: this rank knows what it lacks, and has fetched nothing of it. */
    public static final String RABIT_FETCH = "rabit.fetch";
    /** The recovery mode is about to be shut down. */
    public static final String RABIT_FINALIZE = "rabit.finalize";

    /** The point that {@code ev=revoked} waits for: a communicator is revoked at this rank. */
    public static final String REVOKED = "ev.revoked";
    /** The point that {@code ev=agreed} waits for: an agreement is decided at this rank. */
    public static final String AGREED = "ev.agreed";

    /** Every name that {@code point=} may use. */
    public static final List<String> ALL = List.of(
            JOIN_PENDING,
            JOIN_ADMITTED,
            REPLACE_OFFERED,
            REPLACE_ADMITTED,
            RABIT_BOOTSTRAP,
            RABIT_BEFORE_LOG,
            RABIT_BEFORE_COMMIT,
            RABIT_AFTER_COMMIT,
            RABIT_LOAD,
            RABIT_RECOVER,
            RABIT_FETCH,
            RABIT_FINALIZE);

    private KillPoints() {}
}
