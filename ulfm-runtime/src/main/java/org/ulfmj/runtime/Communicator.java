package org.ulfmj.runtime;

import org.ulfmj.protocol.SlotRuns;
import org.ulfmj.runtime.collective.Schedule;
import org.ulfmj.transport.Payload;

/**
 * A group of ranks with a name of its own: what a program sends, receives and recovers on.
 *
 * <p>Every method may be called by any thread of the rank. Arguments were checked by the caller (ranks and roots in
 * range, tags not negative); what goes wrong later is a {@link Fault}. After {@link #free} every call but the queries is
 * a {@link Fault} of class {@link ErrorClass#COMM}.
 */
public final class Communicator {
    /** Receives from any member. */
    public static final int ANY_SOURCE = -1;
    /** Receives any tag. */
    public static final int ANY_TAG = -1;
    /** The colour of those that {@link #split} leaves out. */
    public static final int UNDEFINED = -32766;

    Communicator() {}

    /** The name on the wire; never used again after {@link #free}. */
    public long id() {
        throw new IllegalStateException("not built");
    }

    /** How messages call it: {@code COMM_WORLD}, {@code COMM_SELF}, or what it was made from. */
    public String label() {
        throw new IllegalStateException("not built");
    }

    public RankRuntime runtime() {
        throw new IllegalStateException("not built");
    }

    public int size() {
        throw new IllegalStateException("not built");
    }

    /** The caller's rank. */
    public int rank() {
        throw new IllegalStateException("not built");
    }

    /** Slots in rank order. */
    public SlotRuns members() {
        throw new IllegalStateException("not built");
    }

    public boolean isFreed() {
        throw new IllegalStateException("not built");
    }

    /** For operations with no peer at all: raises {@link ErrorClass#REVOKED} if the communicator is revoked. */
    public void checkRevoked(String operation) {
        throw new IllegalStateException("not built");
    }

    /**
     * Starts a send and returns at once; the payload is read until the operation is done. Never raises what a failure or
     * revoke did to it: {@link #await} does.
     */
    public Operation send(Payload data, int dest, int tag, SendMode mode) {
        throw new IllegalStateException("not built");
    }

    /** Starts a receive and returns at once; the payload is written until the operation is done. */
    public Operation receive(Payload data, int source, int tag) {
        throw new IllegalStateException("not built");
    }

    /** Withdraws a receive that has not matched, or a send that has not left; false if it was too late. */
    public boolean cancel(Operation operation) {
        throw new IllegalStateException("not built");
    }

    /**
     * Waits, as a blocking call does, and raises how the operation ended. If it throws, the operation is over and its
     * payload belongs to the caller again. A receive from any source is withdrawn with {@link ErrorClass#PROC_FAILED}
     * while a failure is not acknowledged.
     */
    public void await(Operation operation) {
        throw new IllegalStateException("not built");
    }

    /**
     * As {@link #await} for an operation that belongs to a request: a receive from any source that a failure holds up
     * raises {@link ErrorClass#PROC_FAILED_PENDING} and stays active.
     */
    public void awaitRequest(Operation operation) {
        throw new IllegalStateException("not built");
    }

    /** The operation is done and the caller will not look at it again: it may be reused. Optional. */
    public void release(Operation operation) {
        throw new IllegalStateException("not built");
    }

    /** Waits until a message can be received. */
    public Envelope probe(int source, int tag) {
        throw new IllegalStateException("not built");
    }

    /** The message that could be received now, or null. */
    public Envelope tryProbe(int source, int tag) {
        throw new IllegalStateException("not built");
    }

    /** Runs a collective operation to its end. */
    public void run(Schedule schedule) {
        throw new IllegalStateException("not built");
    }

    /** Makes the communicator useless at every member. Idempotent, no matching call, never fails. */
    public void revoke() {
        throw new IllegalStateException("not built");
    }

    public boolean isRevoked() {
        throw new IllegalStateException("not built");
    }

    /** Members known here to have failed, in the order in which that became known: only ever grows at its end. */
    public int[] failedRanks() {
        throw new IllegalStateException("not built");
    }

    /**
     * Acknowledges the first {@code count} of {@link #failedRanks}; 0 only asks.
     *
     * @return how many are acknowledged now
     */
    public int acknowledge(int count) {
        throw new IllegalStateException("not built");
    }

    /**
     * The AND of the flags of all members that take part; all live ones must.
     *
     * @throws Fault of class {@link ErrorClass#PROC_FAILED}, with the agreed value, at every member alike, if one that
     *     failed is not acknowledged by every member
     */
    public int agree(int flag) {
        throw new IllegalStateException("not built");
    }

    /** The failed ranks, the same list at every member; includes every failure known to a member before its call. */
    public int[] agreeFailed() {
        throw new IllegalStateException("not built");
    }

    /** A communicator of the members that have not failed, in the same order. */
    public Communicator shrink() {
        throw new IllegalStateException("not built");
    }

    /** The same members under a new id. Collective, but without a message. */
    public Communicator dup() {
        throw new IllegalStateException("not built");
    }

    /** The members with the same colour, ordered by key, then by rank here; null for {@link #UNDEFINED}. */
    public Communicator split(int colour, int key) {
        throw new IllegalStateException("not built");
    }

    /** Collective over this communicator: one of the given ranks in the given order; null at the others. */
    public Communicator create(int[] ranks) {
        throw new IllegalStateException("not built");
    }

    /** As {@link #create}, called by the given ranks only; {@code tag} tells calls of one group apart. */
    public Communicator createGroup(int[] ranks, int tag) {
        throw new IllegalStateException("not built");
    }

    /** Local; legal on a revoked communicator. COMM_WORLD and COMM_SELF cannot be freed. */
    public void free() {
        throw new IllegalStateException("not built");
    }
}
