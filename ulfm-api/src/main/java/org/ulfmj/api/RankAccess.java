package org.ulfmj.api;

import java.lang.reflect.Constructor;
import org.ulfmj.runtime.RankBinding;
import org.ulfmj.runtime.RankRuntime;
import org.ulfmj.runtime.reduction.Reduction;
import org.ulfmj.transport.Payload;

/**
 * The rank behind package {@code mpi}: for the recovery mode ({@code org.ulfmj.rabit}), which is written on the same
 * runtime, not for programs. Package {@code mpi} has what Open MPI's bindings have and no public type of the runtime,
 * so this class is outside of it, knows none of its types, and has the one inside that does the work loaded by name at
 * the first use. Thread-safe.
 *
 * @param <O> {@code mpi.Op}
 * @param <D> {@code mpi.Datatype}
 */
public abstract class RankAccess<O, D> {
    private static final String INSIDE = "mpi.RankInside";
    private static final RankAccess<?, ?> ONE = load();

    protected RankAccess() {}

    /** The only one; of {@code mpi.Op} and {@code mpi.Datatype}. */
    @SuppressWarnings("unchecked")
    public static <O, D> RankAccess<O, D> get() {
        return (RankAccess<O, D>) ONE;
    }

    private static RankAccess<?, ?> load() {
        try {
            Constructor<?> constructor = Class.forName(INSIDE, true, RankAccess.class.getClassLoader())
                    .getDeclaredConstructor();
            constructor.setAccessible(true);
            return (RankAccess<?, ?>) constructor.newInstance();
        } catch (ReflectiveOperationException missing) {
            throw new IllegalStateException("package mpi is not whole: " + INSIDE + ": " + missing, missing);
        }
    }

    /** The rank that the calling thread works for, joined to its job if it was not yet; as {@code MPI.Init}. */
    public abstract RankRuntime join(String operation);

    /** What tells the ranks of a process apart, if they are threads; null for a thread of no rank. */
    public abstract RankBinding binding();

    /** {@code MPI.Finalize}, unless the program called it. */
    public abstract void leave(String operation);

    /** {@code MPI.getProcessorName}, also for a thread of no rank. */
    public abstract String hostName();

    /** How an operator combines elements of a type; null if the pair is not allowed. */
    public abstract Reduction reduction(O op, D type);

    /** Bytes of an element. */
    public abstract int elementBytes(D type);

    /**
     * The first {@code count} elements of an array, or of a buffer regardless of its position; long enough, and of that
     * type.
     */
    public abstract Payload payload(Object buffer, int count, D type);

    /** A payload of nothing, until {@link #point} says otherwise; for one thread. */
    public abstract Payload noPayload();

    /**
     * Makes what {@link #noPayload} returned the same as {@link #payload} returns; no operation may use it any more.
     */
    public abstract void point(Payload unused, Object buffer, int count, D type);

    /** Lets go of the buffer that {@link #point} named. */
    public abstract void unpoint(Payload unused);
}
