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
    /** The object whose {@code toString} is the message; null if the message was made at once. */
    private final Serializable words;
    /** The length of the message without its advice to the caller of package mpi; -1 if there is no such advice. */
    private int factLength = -1;

    public CallError(ErrorClass error, int[] failedRanks, int agreedValue, String message) {
        // No stack trace here: package mpi throws an exception that has the program's, and the engine's would say
        // nothing.
        super(message, null, true, false);
        this.error = error;
        this.failedRanks = failedRanks.clone();
        this.agreedValue = agreedValue;
        this.words = null;
    }

    /** @param words its {@code toString} is the message, and is called only if the message is asked for */
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

    /** The message without its advice on what a program of package {@code mpi} can do next. */
    public String fact() {
        String message = getMessage();
        return factLength < 0 ? message : message.substring(0, factLength);
    }

    /** Sets which beginning of the message is no advice. */
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
