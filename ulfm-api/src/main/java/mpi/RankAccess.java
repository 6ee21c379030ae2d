package mpi;

import org.ulfmj.runtime.RankBinding;
import org.ulfmj.runtime.RankRuntime;
import org.ulfmj.runtime.reduction.Reduction;
import org.ulfmj.transport.Payload;

/**
 * The rank behind this package: for the recovery mode ({@code org.ulfmj.rabit}), which is written on the same runtime, not for
 * programs. Thread-safe.
 */
public final class RankAccess {
    private RankAccess() {}

    /** The rank that the calling thread works for, joined to its job if it was not yet; as {@code MPI.Init}. */
    public static RankRuntime join(String operation) {
        Rank rank = Ranks.currentOrNull();
        if (rank == null || rank.mainThread() == null) {
            Start.init(operation);
        }
        return Ranks.current(operation).runtime();
    }

    /** What tells the ranks of a process apart, if they are threads; null for a thread of no rank. */
    public static RankBinding binding() {
        return RankBinding.current();
    }

    /** {@code MPI.Finalize}, unless the program called it. */
    public static void leave(String operation) {
        Rank rank = Ranks.current(operation);
        if (!rank.isFinalized()) {
            Start.finish(rank);
        }
    }

    /** {@link MPI#getProcessorName}, also for a thread of no rank. */
    public static String hostName() {
        return Host.name();
    }

    /** How an operator combines elements of a type; null if the pair is not allowed. */
    public static Reduction reduction(Op op, Datatype type) {
        return op.reduction(type);
    }

    /** Bytes of an element. */
    public static int elementBytes(Datatype type) {
        return type.elements().sizeBytes;
    }

    /** The first {@code count} elements of an array, or of a buffer whatever its position; long enough, and of that type. */
    public static Payload payload(Object buffer, int count, Datatype type) {
        return new Span().set(buffer, 0, count, type);
    }

    /** Of nothing, until {@link #point} says otherwise; for one thread. */
    public static Payload noPayload() {
        return new Span();
    }

    /** Makes what {@link #noPayload} returned the same as {@link #payload} returns; no operation may use it any more. */
    public static void point(Payload unused, Object buffer, int count, Datatype type) {
        ((Span) unused).set(buffer, 0, count, type);
    }

    /** Lets go of the buffer that {@link #point} named. */
    public static void unpoint(Payload unused) {
        ((Span) unused).clear();
    }
}
