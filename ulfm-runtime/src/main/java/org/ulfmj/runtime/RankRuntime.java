package org.ulfmj.runtime;

import org.ulfmj.detector.Evidence;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.transport.Fabric;

/**
 * One rank: what package {@code mpi} is written on.
 *
 * <p>Threads: everything may be called by any thread. Besides its callers a rank has one daemon thread, which works while
 * no caller is inside.
 */
public final class RankRuntime {
    private RankRuntime() {}

    /** Makes a rank over connected media and starts its progress thread. */
    public static RankRuntime create(
            RankIdentity identity, Fabric fabric, Clock clock, RankSettings settings, RankHooks hooks) {
        throw new IllegalStateException("not built");
    }

    public ProcessId id() {
        throw new IllegalStateException("not built");
    }

    public boolean hasFaultTolerance() {
        throw new IllegalStateException("not built");
    }

    public Communicator world() {
        throw new IllegalStateException("not built");
    }

    public Communicator self() {
        throw new IllegalStateException("not built");
    }

    /**
     * Every MPI call of the program begins here, with its name as the program wrote it ({@code allReduce}): counts it for
     * triggers and throws if this rank is dead, fenced or finalized.
     */
    public void enterCall(String operation) {
        throw new IllegalStateException("not built");
    }

    /** The program says which iteration it is in. */
    public void pControl(int level) {
        throw new IllegalStateException("not built");
    }

    /**
     * Finalize: agrees with all others that have not failed that everyone is here, says goodbye and lets the connections
     * end. After it the rank owes nothing.
     *
     * @throws Fault of class {@link ErrorClass#ARG} if others are in another collective recovery call; the rank then goes on
     */
    public void finish() {
        throw new IllegalStateException("not built");
    }

    public boolean isFinished() {
        throw new IllegalStateException("not built");
    }

    /** Ends the job with this code. */
    public void abort(int code) {
        throw new IllegalStateException("not built");
    }

    /** What the launcher, a lifeline or {@code /proc} says of a process. Returns at once. */
    public void onEvidence(ProcessId process, Evidence evidence) {
        throw new IllegalStateException("not built");
    }

    /** The launcher answers for a process that said goodbye and ended. Returns at once. */
    public void onDeparted(ProcessId process) {
        throw new IllegalStateException("not built");
    }

    /** Others decided that this process must end. Returns at once. */
    public void onFence(String reason) {
        throw new IllegalStateException("not built");
    }

    /** The thread that has the seat looks at its input again, also at {@link RankHooks#onSeatPoll}. */
    public void wake() {
        throw new IllegalStateException("not built");
    }

    /**
     * For ranks that are threads: this rank is dead from now on. Its calls, also those that wait, throw {@code death};
     * nothing is sent any more.
     */
    public void kill(Error death) {
        throw new IllegalStateException("not built");
    }

    /** Who waits for whom: a line a waiting thread. For dumps. */
    public String describeWaits() {
        throw new IllegalStateException("not built");
    }
}
