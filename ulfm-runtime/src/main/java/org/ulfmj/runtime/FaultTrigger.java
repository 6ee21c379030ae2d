package org.ulfmj.runtime;

import java.util.Locale;

/**
 * A point in a rank's own calls at which it is to be killed.
 *
 * @param rule number by which the launcher knows it
 * @param operation name of an MPI call in any case, {@code allReduce} or {@code allreduce}; {@link #ANY_OPERATION}; or
 *     {@link #ITERATION}
 * @param count the count-th such call of the rank, from 1; for {@link #ITERATION} the level given to {@code pControl}
 */
public record FaultTrigger(int rule, String operation, long count) {
    /** Counts every call. */
    public static final String ANY_OPERATION = "*";
    /** Fires when {@code pControl} is called with a level of {@code count}. */
    public static final String ITERATION = "iter";

    public FaultTrigger {
        operation = operation.toLowerCase(Locale.ROOT);
    }
}
