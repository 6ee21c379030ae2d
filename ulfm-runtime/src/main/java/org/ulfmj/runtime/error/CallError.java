package org.ulfmj.runtime.error;

import java.io.Serializable;

/**
 * The error of a program's call that did not succeed. Package {@code mpi} makes an exception of it, or ends the job, as
 * the communicator's error handler says.
 */
public class CallError extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ErrorClass error;
    private final int[] failedRanks;
    private final int agreedValue;
    /** The object whose {@code toString} is the message; null if the message was made together with this error. */
    private final Serializable words;
    /**
     * The length of the message without the advice at its end, which is for callers of package {@code mpi}; −1 if
     * {@link #withFact} was not called.
     */
    private int factLength = -1;

    public CallError(ErrorClass error, int[] failedRanks, int agreedValue, String message) {
        // No stack trace here: package mpi throws an exception that has the stack trace of the program's thread, and
        // the engine's would say nothing.
        super(message, null, true, false);
        this.error = error;
        this.failedRanks = failedRanks.clone();
        this.agreedValue = agreedValue;
        this.words = null;
    }

    /** @param words an object whose {@code toString} is the message, and is called only if the message is asked for */
    public CallError(ErrorClass error, int[] failedRanks, Serializable words) {
        super(null, null, true, false);
        this.error = error;
        this.failedRanks = failedRanks;
        this.agreedValue = 0;
        this.words = words;
    }

    public CallError(ErrorClass error, String message) {
        this(error, new int[0], 0, message);
    }

    @Override
    public String getMessage() {
        return words == null ? super.getMessage() : words.toString();
    }

    /**
     * The message without the advice at its end on what a program of package {@code mpi} can do next. The whole message
     * if {@link #withFact} was not called.
     */
    public String fact() {
        String message = getMessage();
        return factLength < 0 ? message : message.substring(0, factLength);
    }

    /** Says that the message is this fact and, behind it, advice. */
    public CallError withFact(String fact) {
        factLength = fact.length();
        return this;
    }

    public ErrorClass error() {
        return error;
    }

    /**
     * The ranks of the communicator that this rank knew to have failed when the error was made, in the order in which
     * it learned of them; empty for an error that was made without them.
     */
    public int[] failedRanks() {
        return failedRanks.clone();
    }

    /** The value that {@code agree} agreed on although it raised this error; 0 for other calls. */
    public int agreedValue() {
        return agreedValue;
    }
}
