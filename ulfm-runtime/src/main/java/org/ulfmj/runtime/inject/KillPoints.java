package org.ulfmj.runtime.inject;

import java.util.List;

/**
 * The named points at which a plan may have a fault ({@code point=NAME}). Code that passes one tells the rank's
 * {@code RankRuntime.faultPoint}; passages are counted for each process by itself, from 1.
 */
public final class KillPoints {
    /** A newcomer has been told that it must wait for its admission, in {@code MPI.Init}. */
    public static final String JOIN_PENDING = "join.pending";
    /**
     * Passed once per newcomer, in {@code replace} or {@code grow}: a member knows that the newcomer is to be in the
     * next world, not yet that all others know.
     */
    public static final String REPLACE_OFFERED = "replace.offered";
    /** A member has entered the next world and told the newcomers so, but not the launcher. */
    public static final String REPLACE_ADMITTED = "replace.admitted";
    /** A newcomer has been admitted, and {@code MPI.Init} is about to return. */
    public static final String JOIN_ADMITTED = "join.admitted";
    /** A collective of the recovery mode has its result, before the first checkpoint was loaded. */
    public static final String RABIT_BOOTSTRAP = "rabit.bootstrap";
    /** A later collective of the recovery mode has its result, and has not put the result into its log. */
    public static final String RABIT_BEFORE_LOG = "rabit.before-log";
    /** A checkpoint is replicated, and the members have not agreed on it yet. */
    public static final String RABIT_BEFORE_COMMIT = "rabit.before-commit";
    /** A checkpoint is agreed, and the older one is not given up yet. */
    public static final String RABIT_AFTER_COMMIT = "rabit.after-commit";
    /** A checkpoint is about to be loaded. */
    public static final String RABIT_LOAD = "rabit.load";
    /** A recovery begins. */
    public static final String RABIT_RECOVER = "rabit.recover";
    /** What this rank lacks is known, and nothing of it has been fetched. */
    public static final String RABIT_FETCH = "rabit.fetch";
    /** The recovery mode is about to be shut down. */
    public static final String RABIT_FINALIZE = "rabit.finalize";

    /** What {@code ev=revoked} waits for: a communicator is revoked at this rank. */
    public static final String REVOKED = "ev.revoked";
    /** What {@code ev=agreed} waits for: an agreement is decided at this rank. */
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
