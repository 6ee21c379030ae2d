package org.ulfmj.api;

import java.lang.reflect.Constructor;
import org.ulfmj.runtime.RankBinding;
import org.ulfmj.runtime.RankRuntime;
import org.ulfmj.runtime.reduction.Reduction;
import org.ulfmj.transport.Payload;

/**
 * The rank behind package {@code mpi}: for the recovery mode ({@code org.ulfmj.rabit}), which is written on the same
 * runtime, not for programs. Package {@code mpi} has the types of Open MPI's bindings and no public type of the
 * runtime. So this class is outside of that package and knows none of its types. At the first use it loads, by name,
 * the class inside the package that does the work. Thread-safe.
 *
 * @param <O> {@code mpi.Op}
 * @param <D> {@code mpi.Datatype}
 */
public abstract class RankAccess<O, D> {
    private static final String INSIDE = "mpi.RankInside";
    private static final RankAccess<?, ?> ONE = load();

    protected RankAccess() {}

    /** Returns the only object of this class. The type parameters are {@code mpi.Op} and {@code mpi.Datatype}. */
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

    /**
     * Returns the rank that the calling thread works for. If the process has not joined its job yet, it joins as
     * {@code MPI.Init} does.
     */
    public abstract RankRuntime join(String operation);

    /** Returns the object that binds threads to the calling thread's rank; null for a thread that has no rank. */
    public abstract RankBinding binding();

    /** Calls {@code MPI.Finalize}, unless the program called it. */
    public abstract void leave(String operation);

    /** Returns the result of {@code MPI.getProcessorName}, also for a thread of no rank. */
    public abstract String hostName();

    /**
     * Returns the reduction by which an operator combines elements of a type; null if the operator is not allowed for
     * that type, or the type has gaps.
     */
    public abstract Reduction reduction(O op, D type);

    /**
     * Returns the size of an element of a type in bytes.
     *
     * @throws IllegalArgumentException if the type has gaps
     */
    public abstract int elementBytes(D type);

    /**
     * Returns a payload of the first {@code count} elements of an array or a buffer, which must be long enough and of
     * that type. A buffer's position does not count.
     */
    public abstract Payload payload(Object buffer, int count, D type);

    /** Returns a payload that has no buffer until {@link #point} gives it one; to be used by one thread. */
    public abstract Payload noPayload();

    /**
     * Points a payload from {@link #noPayload} at the elements that {@link #payload} would describe. No operation may
     * be using the payload any more.
     */
    public abstract void point(Payload unused, Object buffer, int count, D type);

    /** Drops the payload's reference to the buffer that {@link #point} gave it. */
    public abstract void unpoint(Payload unused);
}
