package org.ulfmj.runtime.options;

import java.util.Locale;

/**
 * A point that a rank itself reaches, mostly in a call, at which a planned fault hits the rank.
 *
 * @param rule the number by which the launcher knows the trigger
 * @param operation the name of an MPI call in any case, {@code allReduce} or {@code allreduce}; {@link #ANY_OPERATION};
 *     {@link #ITERATION}; {@link #SENT_BYTES}; or what {@link #atPoint} and {@link #atPosition} make
 * @param count the count-th such call or passage of the process, from 1; for {@link #ITERATION} the level given to
 *     {@code pControl}, for {@link #SENT_BYTES} a number of bytes
 * @param incarnation the process of the slot that is meant; {@link #EVERY_INCARNATION} for each of them
 */
public record FaultTrigger(int rule, String operation, long count, int incarnation) {
    /** Counts every call. */
    public static final String ANY_OPERATION = "*";
    /** Fires when {@code pControl} is called with a level of {@code count}. */
    public static final String ITERATION = "iter";
    /** Fires when the process has sent {@code count} bytes to other ranks; the rest of the frame is not sent. */
    public static final String SENT_BYTES = "sent:bytes";
    /** Stands for an incarnation: the trigger is for every process of the slot. */
    public static final int EVERY_INCARNATION = -1;

    /** The beginning of the text of a named point: no operation's name has a colon. */
    private static final String POINT = "point:";

    private static final String POSITION = "position:";
    /**
     * Appended to an operation: the trigger fires when the call goes on waiting after its first polls, else at its end.
     */
    public static final String MID = "/mid";
    /**
     * Appended to an operation: the trigger fires when the call is about to release the engine lock, mostly because it
     * has done its work.
     */
    public static final String EXIT = "/exit";

    public FaultTrigger {
        operation = operation.toLowerCase(Locale.ROOT);
    }

    /** Makes a trigger for the first process of a slot. */
    public FaultTrigger(int rule, String operation, long count) {
        this(rule, operation, count, 0);
    }

    /**
     * Returns the text that stands for the operation in a trigger at a named point ({@code RankRuntime.faultPoint}).
     */
    public static String atPoint(String name) {
        return POINT.concat(name);
    }

    /**
     * Returns the text that stands for the operation in a trigger at a call of the recovery mode
     * ({@code RankRuntime.faultPosition}).
     */
    public static String atPosition(long version, long sequence) {
        return POSITION.concat(Long.toString(version)).concat(".").concat(Long.toString(sequence));
    }

    /**
     * Returns the text that stands for the operation in a trigger at a part of a call.
     *
     * @param part {@link #MID}, {@link #EXIT}, or empty for the beginning of the call
     */
    public static String inCall(String operation, String part) {
        return operation.concat(part);
    }

    /** Whether the trigger is for the process with this incarnation. */
    public boolean isFor(int process) {
        return incarnation == EVERY_INCARNATION || incarnation == process;
    }
}
