package org.ulfmj.runtime.error;

import java.io.Serializable;

/**
 * A call of a program that did not end in success. Package {@code mpi} turns it into its exceptions, or ends the job,
 * as the communicator's error handler says.
 */
public class CallError extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ErrorClass error;
    private final int[] failedRanks;
    private final int agreedValue;
    /** What the message is the {@code toString} of; null if it was put into words at once. */
    private final Serializable words;
    /** The length of the message without its advice to the caller of package mpi; -1 if there is no such advice. */
    private int factLength = -1;

    public CallError(ErrorClass error, int[] failedRanks, int agreedValue, String message) {
        // Package mpi throws an exception with the program's stack for it; of the engine's no rank learns anything.
        super(message, null, true, false);
        this.error = error;
        this.failedRanks = failedRanks.clone();
        this.agreedValue = agreedValue;
        this.words = null;
    }

    /** @param words the message is its {@code toString}, which no rank may ever ask for */
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

    /** The message without what it tells a program of package {@code mpi} to do next. */
    public String fact() {
        String message = getMessage();
        return factLength < 0 ? message : message.substring(0, factLength);
    }

    /** Says what of the message is no advice. */
    public CallError withFact(String fact) {
        factLength = fact.length();
        return this;
    }

    public ErrorClass error() {
        return error;
    }

    /** Ranks of the communicator known here to have failed, in the order in which they became known. */
    public int[] failedRanks() {
        return failedRanks.clone();
    }

    /** What {@code agree} agreed on although it raised an error; 0 for other calls. */
    public int agreedValue() {
        return agreedValue;
    }
}
