package mpi;

import java.nio.ByteBuffer;

/**
 * How an operator of the program ({@link Op#Op(UserFunction, boolean)}) combines vectors: a subclass overrides one of
 * the two forms of {@code call}. If both are overridden the one with buffers is called, but for {@link MPI#BOOLEAN} and
 * types made of it that are no structs.
 *
 * <p>Either form has to do {@code inout[i] = in[i] op inout[i]} for the first {@code count} items. The items of
 * {@code in} come from lower ranks than the items of {@code inout}; {@code in} must not be changed, and neither may be
 * kept. The operator must be associative and work on each item by itself: a vector may come in pieces, and in another
 * grouping than the program would choose.
 *
 * <p><b>Threads.</b> In a blocking reduction the function is called by the thread that is inside the reduction, without
 * any lock: it may take as long as it likes, and this rank goes on answering others meanwhile. Two reductions at a
 * time, or two ranks in one process, may call it at the same time.
 *
 * <p>In a non-blocking reduction ({@link Comm#iAllReduce(java.nio.Buffer, java.nio.Buffer, int, Datatype, Op)
 * iAllReduce} and the like) the function is called by a thread of the program only, never by a thread of the library:
 * inside a call that waits for requests or tests them, or inside any other call of this rank that waits or probes, on
 * any communicator. A program that computes for long without such a call makes the others wait for its part. A function
 * may wait for another reduction whose function waits, and so on, for 32 of them; the wait in the innermost raises
 * {@code ERR_OTHER}.
 *
 * <p><b>Exceptions.</b> An exception of the function ends the reduction at this rank and is thrown by the reduction's
 * call. The other ranks cannot have their result then, and would wait for this rank's part for ever. So the
 * communicator is revoked, and they get a {@link RevokedException}. In a non-blocking reduction the exception is thrown
 * by the call that completes the request, as it is, and not by the call in which the function ran.
 * {@link Comm#reduceLocal} concerns no other rank and revokes nothing.
 */
public abstract class UserFunction {
    /** Called by subclasses. */
    protected UserFunction() {}

    /**
     * Combines arrays that hold {@code count} items, of the datatype's kind, such as {@code int[]} for {@link MPI#INT}.
     *
     * @throws UnsupportedOperationException if it is not overridden
     */
    public void call(Object inVec, Object inOutVec, int count, Datatype datatype) {
        throw notOverridden("call(Object, Object, int, Datatype)");
    }

    /**
     * Combines buffers that hold {@code count} items in native order, from position 0 to the limit: packed, or for a
     * type with gaps as far apart as its extent says.
     *
     * @throws UnsupportedOperationException if it is not overridden
     */
    public void call(ByteBuffer in, ByteBuffer inOut, int count, Datatype datatype) {
        throw notOverridden("call(ByteBuffer, ByteBuffer, int, Datatype)");
    }

    private UnsupportedOperationException notOverridden(String form) {
        return new UnsupportedOperationException(getClass().getName() + " does not override " + form);
    }

    /** Whether the subclass overrides the form of {@code call} that takes this class of vectors. */
    final boolean overrides(Class<?> vector) {
        try {
            return getClass()
                            .getMethod("call", vector, vector, int.class, Datatype.class)
                            .getDeclaringClass()
                    != UserFunction.class;
        } catch (NoSuchMethodException missing) {
            throw new IllegalStateException("no call with " + vector, missing);
        }
    }
}
