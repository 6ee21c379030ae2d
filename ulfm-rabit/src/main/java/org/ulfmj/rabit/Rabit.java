package org.ulfmj.rabit;

import java.nio.ByteBuffer;
import mpi.Datatype;
import mpi.MPI;
import mpi.Op;

/**
 * The recovery mode: with it a training job goes on as if no worker had died. All ranks make the same sequence of
 * collectives and checkpoints; a rank that is killed is started again by {@code mpiexec --max-restarts}, loads the last
 * checkpoint from its peers' memory, passes the operations since then with their recorded results, and joins in where
 * the others are.
 *
 * <pre>{@code
 * Rabit.run(args, () -> {
 *     double[] columns = {countColumns()};
 *     Rabit.allreduce(columns, MPI.MAX);                   // bootstrap: recorded for the whole job
 *     for (int it = Rabit.loadCheckpoint(model); it < iterations; it++) {
 *         double[] gradients = model.gradients(myRows);
 *         Rabit.allreduce(gradients, MPI.SUM);
 *         model.step(gradients);
 *         Rabit.checkpoint(model);
 *     }
 * });
 * }</pre>
 *
 * <p><b>What a program must keep to.</b> Between two checkpoints the operations and their inputs follow from the
 * checkpointed state and from earlier results, never from time, chance without a common seed, or what happened to be
 * recovered. Operations before {@link #loadCheckpoint} are found again by where they are made, so ranks that make one
 * operation at different places of the program give it a {@code key}.
 *
 * <p><b>Errors.</b> Deaths of others are no errors as long as the ranks can recover from them. A {@link RabitException}
 * says why this rank cannot go on, but its subclass {@link RollbackException} is news, which {@link #run} handles. Bad
 * arguments of operations and checkpoints are {@link IllegalArgumentException}s, calls in a wrong order
 * {@link IllegalStateException}s.
 *
 * <p><b>Without a job.</b> A process that was not started by {@code mpiexec} is a world of one, from its first
 * operation on if it does not call {@link #init}. In a job of several ranks an operation before {@code init} throws an
 * {@link IllegalStateException}: otherwise the ranks would each compute for themselves.
 *
 * <p><b>Threads.</b> One thread of a rank at a time. Where ranks are threads of one process each has a separate state,
 * as {@code MPI.COMM_WORLD} has. Buffers are the caller's again when a call returns; an operation that throws writes no
 * result to them.
 */
public final class Rabit {
    private Rabit() {}

    /**
     * A program that {@link Rabit#run} runs from its top, and again each time it has to go back to a checkpoint or to
     * its beginning.
     */
    @FunctionalInterface
    public interface Program {
        /**
         * Makes the operations of the bootstrap phase, calls {@code loadCheckpoint}, and then runs versions that end
         * with {@code checkpoint}.
         */
        void run() throws Exception;
    }

    /**
     * Calls {@link #init}, the program, and {@link #shutdown}. After a {@link RollbackException} the program is called
     * again. After another exception of the program {@code shutdown} is not called.
     *
     * @param args as for {@link #init}
     * @throws Exception what the program throws, except a {@link RollbackException}
     */
    public static void run(String[] args, Program program) throws Exception {
        init(args);
        while (true) {
            try {
                program.run();
                Sessions.current("shutdown").agreeToEnd();
                break;
            } catch (RollbackException goBack) {
                Sessions.current("run").rerun();
            }
        }
        shutdown();
    }

    /** Runs a program without arguments for {@link #init}. */
    public static void run(Program program) throws Exception {
        run(new String[0], program);
    }

    /**
     * Joins the job. A process that was not started by {@code mpiexec} becomes a job of one rank. Calls
     * {@code MPI.Init} unless the program did. In a replacement the call returns when this rank has fetched the
     * checkpoint and the results that it needs to catch up with the others.
     *
     * @param args arguments of the form {@code ulfm.rabit.NAME=VALUE} set options for this job, alike at all ranks;
     *     other arguments are ignored
     * @throws IllegalArgumentException for an option that does not exist or a value that is not allowed, or if the
     *     directory of {@code ulfm.rabit.spill} cannot be used
     * @throws IllegalStateException if it was called before, or an operation without a job has done the same
     * @throws RabitException if a replacement cannot join the others, for instance because the job cannot go on
     */
    public static void init(String... args) {
        Sessions.open(args);
    }

    /**
     * Ends this rank's part in the job, and calls {@code MPI.Finalize} unless the program did. Collective: no rank gets
     * past it while another one may still need its results.
     */
    public static void shutdown() {
        Sessions.current("shutdown").shutdown();
    }

    /** The number of this rank, from 0. It is 0 before {@link #init}. */
    public static int rank() {
        Session session = Sessions.currentOrNull();
        return session == null ? 0 : session.rank();
    }

    /** The number of ranks of the job; 1 before {@link #init}. */
    public static int worldSize() {
        Session session = Sessions.currentOrNull();
        return session == null ? 1 : session.size();
    }

    /** Whether there are other ranks. */
    public static boolean isDistributed() {
        return worldSize() > 1;
    }

    /** The number of checkpoints before the program's present place; 0 until it has called {@link #loadCheckpoint}. */
    public static int version() {
        Session session = Sessions.currentOrNull();
        return session == null ? 0 : session.version();
    }

    /** The name of the host; {@code localhost} before {@link #init}. */
    public static String processorName() {
        return Sessions.currentOrNull() == null ? "localhost" : MPI.getProcessorName();
    }

    /** Writes a line to stdout, where the launcher shows it. */
    public static void trackerPrint(String message) {
        System.out.println(message);
        System.out.flush();
    }

    /**
     * Sets what the program does when the job goes on with other ranks than before, for instance divide its input anew.
     * The job has fewer ranks if no process takes the place of a dead one, which happens only with
     * {@code ulfm.replace.policy=shrink} and in elastic jobs; it has more after processes have joined an elastic job.
     * All ranks then go back to the last checkpoint, or begin again if there is none.
     */
    public static void onShrink(Repartition repartition) {
        Sessions.current("onShrink").onShrink(repartition);
    }

    /** The bytes of recorded results of operations that this rank holds now. */
    public static long logBytes() {
        return Sessions.current("logBytes").logBytes();
    }

    /**
     * The most bytes of results since a checkpoint that this rank has held at any time, plus the bytes of the results
     * of the bootstrap phase that it holds now.
     */
    public static long mostLogBytes() {
        return Sessions.current("mostLogBytes").mostLogBytes();
    }

    // ------------------------------------------------------------------------------------------ allreduce

    /**
     * Combines the arrays of all ranks element by element, and leaves the result in {@code data} at every rank.
     * Collective.
     */
    public static void allreduce(double[] data, Op op) {
        allreduce(null, data, op, null);
    }

    /**
     * @param prepare fills {@code data} before the operation; called at most once, and not at all if the result was
     *     recorded already
     */
    public static void allreduce(double[] data, Op op, Runnable prepare) {
        allreduce(null, data, op, prepare);
    }

    /**
     * @param key names the operation in the bootstrap phase: a restarted rank finds the recorded result by this key,
     *     and not by the place of the call in the program
     */
    public static void allreduce(String key, double[] data, Op op) {
        allreduce(key, data, op, null);
    }

    /** Combines the arrays of all ranks element by element. {@code key} and {@code prepare} may be null. */
    public static void allreduce(String key, double[] data, Op op, Runnable prepare) {
        Sessions.opened("allreduce").allReduce(key, data, length(data), MPI.DOUBLE, op, prepare);
    }

    public static void allreduce(float[] data, Op op) {
        allreduce(null, data, op, null);
    }

    public static void allreduce(float[] data, Op op, Runnable prepare) {
        allreduce(null, data, op, prepare);
    }

    public static void allreduce(String key, float[] data, Op op) {
        allreduce(key, data, op, null);
    }

    public static void allreduce(String key, float[] data, Op op, Runnable prepare) {
        Sessions.opened("allreduce").allReduce(key, data, length(data), MPI.FLOAT, op, prepare);
    }

    public static void allreduce(int[] data, Op op) {
        allreduce(null, data, op, null);
    }

    public static void allreduce(int[] data, Op op, Runnable prepare) {
        allreduce(null, data, op, prepare);
    }

    public static void allreduce(String key, int[] data, Op op) {
        allreduce(key, data, op, null);
    }

    public static void allreduce(String key, int[] data, Op op, Runnable prepare) {
        Sessions.opened("allreduce").allReduce(key, data, length(data), MPI.INT, op, prepare);
    }

    public static void allreduce(long[] data, Op op) {
        allreduce(null, data, op, null);
    }

    public static void allreduce(long[] data, Op op, Runnable prepare) {
        allreduce(null, data, op, prepare);
    }

    public static void allreduce(String key, long[] data, Op op) {
        allreduce(key, data, op, null);
    }

    public static void allreduce(String key, long[] data, Op op, Runnable prepare) {
        Sessions.opened("allreduce").allReduce(key, data, length(data), MPI.LONG, op, prepare);
    }

    /**
     * Combines the byte arrays of all ranks element by element. Operators for which the sign matters take the bytes as
     * unsigned.
     */
    public static void allreduce(byte[] data, Op op) {
        allreduce(null, data, op, null);
    }

    public static void allreduce(byte[] data, Op op, Runnable prepare) {
        allreduce(null, data, op, prepare);
    }

    public static void allreduce(String key, byte[] data, Op op) {
        allreduce(key, data, op, null);
    }

    public static void allreduce(String key, byte[] data, Op op, Runnable prepare) {
        Sessions.opened("allreduce").allReduce(key, data, length(data), MPI.BYTE, op, prepare);
    }

    /**
     * Combines the elements of {@code type}, in native order, of the buffers of all ranks. The elements lie from the
     * buffer's position to its limit. Position and limit stay as they are.
     */
    public static void allreduce(ByteBuffer data, Datatype type, Op op) {
        allreduce(null, data, type, op, null);
    }

    public static void allreduce(ByteBuffer data, Datatype type, Op op, Runnable prepare) {
        allreduce(null, data, type, op, prepare);
    }

    public static void allreduce(String key, ByteBuffer data, Datatype type, Op op) {
        allreduce(key, data, type, op, null);
    }

    public static void allreduce(String key, ByteBuffer data, Datatype type, Op op, Runnable prepare) {
        ByteBuffer elements = writable(data);
        int bytes = elementBytes(type);
        requireWhole(elements.capacity(), bytes);
        Sessions.opened("allreduce").allReduce(key, elements, elements.capacity() / bytes, type, op, prepare);
    }

    /**
     * Combines the arrays of all ranks item by item with the program's reducer. An item has {@code itemBytes} bytes.
     */
    public static void allreduce(byte[] data, int itemBytes, Reducer reducer) {
        allreduce(null, data, itemBytes, reducer, null);
    }

    public static void allreduce(String key, byte[] data, int itemBytes, Reducer reducer) {
        allreduce(key, data, itemBytes, reducer, null);
    }

    public static void allreduce(String key, byte[] data, int itemBytes, Reducer reducer, Runnable prepare) {
        requireWhole(length(data), itemBytes);
        Sessions.opened("allreduce").allReduce(key, data, data.length, itemBytes, reducer, prepare);
    }

    /**
     * Combines the buffers of all ranks item by item with the program's reducer. An item has {@code itemBytes} bytes;
     * the items lie from the buffer's position to its limit.
     */
    public static void allreduce(ByteBuffer data, int itemBytes, Reducer reducer) {
        allreduce(null, data, itemBytes, reducer, null);
    }

    public static void allreduce(String key, ByteBuffer data, int itemBytes, Reducer reducer) {
        allreduce(key, data, itemBytes, reducer, null);
    }

    public static void allreduce(String key, ByteBuffer data, int itemBytes, Reducer reducer, Runnable prepare) {
        ByteBuffer items = writable(data);
        requireWhole(items.capacity(), itemBytes);
        Sessions.opened("allreduce").allReduce(key, items, items.capacity(), itemBytes, reducer, prepare);
    }

    // ------------------------------------------------------------------------------------------ broadcast

    /** Copies the root's array to the arrays of all ranks, which must be equally long. Collective. */
    public static void broadcast(double[] data, int root) {
        broadcast(null, data, root);
    }

    /**
     * @param key names the operation in the bootstrap phase: a restarted rank finds the recorded result by this key,
     *     and not by the place of the call in the program
     */
    public static void broadcast(String key, double[] data, int root) {
        Sessions.opened("broadcast").broadcast(key, data, length(data), MPI.DOUBLE, root);
    }

    public static void broadcast(float[] data, int root) {
        broadcast(null, data, root);
    }

    public static void broadcast(String key, float[] data, int root) {
        Sessions.opened("broadcast").broadcast(key, data, length(data), MPI.FLOAT, root);
    }

    public static void broadcast(int[] data, int root) {
        broadcast(null, data, root);
    }

    public static void broadcast(String key, int[] data, int root) {
        Sessions.opened("broadcast").broadcast(key, data, length(data), MPI.INT, root);
    }

    public static void broadcast(long[] data, int root) {
        broadcast(null, data, root);
    }

    public static void broadcast(String key, long[] data, int root) {
        Sessions.opened("broadcast").broadcast(key, data, length(data), MPI.LONG, root);
    }

    public static void broadcast(byte[] data, int root) {
        broadcast(null, data, root);
    }

    public static void broadcast(String key, byte[] data, int root) {
        Sessions.opened("broadcast").broadcast(key, data, length(data), MPI.BYTE, root);
    }

    /** Copies the root's bytes, from the buffer's position to its limit, to all ranks. Position and limit stay. */
    public static void broadcast(ByteBuffer data, int root) {
        broadcast(null, data, root);
    }

    public static void broadcast(String key, ByteBuffer data, int root) {
        ByteBuffer bytes = writable(data);
        Sessions.opened("broadcast").broadcast(key, bytes, bytes.capacity(), MPI.BYTE, root);
    }

    /**
     * Returns the root's bytes at every rank. Only the root has to know their number: {@code bytesOfRoot} is ignored at
     * the other ranks. Makes two operations: one for the length and one for the bytes.
     */
    public static byte[] broadcastBytes(byte[] bytesOfRoot, int root) {
        return broadcastBytes(null, bytesOfRoot, root);
    }

    public static byte[] broadcastBytes(String key, byte[] bytesOfRoot, int root) {
        return Sessions.opened("broadcast").broadcastBytes(key, bytesOfRoot, root);
    }

    // ------------------------------------------------------------------------------------------ allgather

    /**
     * Gathers the equally long arrays of all ranks, in rank order, in the array {@code all} at every rank. {@code all}
     * is as long as the arrays of all ranks together. Collective.
     */
    public static void allgather(double[] mine, double[] all) {
        allgather(null, mine, all);
    }

    /**
     * @param key names the operation in the bootstrap phase: a restarted rank finds the recorded result by this key,
     *     and not by the place of the call in the program
     */
    public static void allgather(String key, double[] mine, double[] all) {
        Sessions.opened("allgather").allGather(key, mine, length(mine), all, length(all), MPI.DOUBLE);
    }

    public static void allgather(float[] mine, float[] all) {
        allgather(null, mine, all);
    }

    public static void allgather(String key, float[] mine, float[] all) {
        Sessions.opened("allgather").allGather(key, mine, length(mine), all, length(all), MPI.FLOAT);
    }

    public static void allgather(int[] mine, int[] all) {
        allgather(null, mine, all);
    }

    public static void allgather(String key, int[] mine, int[] all) {
        Sessions.opened("allgather").allGather(key, mine, length(mine), all, length(all), MPI.INT);
    }

    public static void allgather(long[] mine, long[] all) {
        allgather(null, mine, all);
    }

    public static void allgather(String key, long[] mine, long[] all) {
        Sessions.opened("allgather").allGather(key, mine, length(mine), all, length(all), MPI.LONG);
    }

    public static void allgather(byte[] mine, byte[] all) {
        allgather(null, mine, all);
    }

    public static void allgather(String key, byte[] mine, byte[] all) {
        Sessions.opened("allgather").allGather(key, mine, length(mine), all, length(all), MPI.BYTE);
    }

    /**
     * Gathers the bytes of the buffers {@code mine} of all ranks, equally many from each, in the buffer {@code all} at
     * every rank. The bytes lie from each buffer's position to its limit. Positions and limits stay as they are.
     */
    public static void allgather(ByteBuffer mine, ByteBuffer all) {
        allgather(null, mine, all);
    }

    public static void allgather(String key, ByteBuffer mine, ByteBuffer all) {
        ByteBuffer own = part(mine);
        ByteBuffer whole = writable(all);
        Sessions.opened("allgather").allGather(key, own, own.capacity(), whole, whole.capacity(), MPI.BYTE);
    }

    /**
     * Returns the byte arrays of all ranks, by rank. The arrays may differ in length. Makes two operations: one for the
     * lengths and one for the bytes.
     */
    public static byte[][] allgatherBytes(byte[] mine) {
        return allgatherBytes(null, mine);
    }

    public static byte[][] allgatherBytes(String key, byte[] mine) {
        length(mine);
        return Sessions.opened("allgather").allGatherBytes(key, mine);
    }

    // ------------------------------------------------------------------------------------------ checkpoints

    /**
     * Ends the bootstrap phase, and returns the version that the program goes on with. Local.
     *
     * @return the number of checkpoints that were completed; 0 if there is no checkpoint yet
     */
    public static int loadCheckpoint() {
        return loadCheckpoint(null, null);
    }

    /** @param global the program's model, which is told to load the committed global state, unless the version is 0 */
    public static int loadCheckpoint(Model global) {
        return loadCheckpoint(global, null);
    }

    /**
     * @param local the program's local model, which is told to load the state that this rank saved as its local model,
     *     unless the version is 0
     */
    public static int loadCheckpoint(Model global, Model local) {
        return Sessions.opened("loadCheckpoint").models().loadCheckpoint(global, local);
    }

    /** The global model of the last checkpoint; null if there is none. A copy. */
    public static byte[] globalModel() {
        return Sessions.opened("globalModel").models().globalModel();
    }

    /** This rank's local model of the last checkpoint; null if there is none. A copy. */
    public static byte[] localModel() {
        return Sessions.opened("localModel").models().localModel();
    }

    /**
     * Completes a version: after a death that comes later, a restarted rank goes on from this model. Collective. Drops
     * the results that were recorded since the last checkpoint.
     *
     * @param global the same at all ranks, to the byte; otherwise all ranks get a {@link DesyncException}. It is copied
     */
    public static void checkpoint(byte[] global) {
        length(global);
        Sessions.opened("checkpoint").models().checkpoint(copy(ByteBuffer.wrap(global)), null);
    }

    /**
     * @param local this rank's local model, of which other ranks keep copies. A program gives one in all its
     *     checkpoints or in none
     */
    public static void checkpoint(byte[] global, byte[] local) {
        length(global);
        length(local);
        Sessions.opened("checkpoint").models().checkpoint(copy(ByteBuffer.wrap(global)), copy(ByteBuffer.wrap(local)));
    }

    /**
     * Completes a version with a copy of the global model, which lies from the buffer's position to its limit; these
     * stay as they are.
     */
    public static void checkpoint(ByteBuffer global) {
        Sessions.opened("checkpoint").models().checkpoint(copy(part(global)), null);
    }

    public static void checkpoint(ByteBuffer global, ByteBuffer local) {
        Sessions.opened("checkpoint").models().checkpoint(copy(part(global)), copy(part(local)));
    }

    public static void checkpoint(Model global) {
        Sessions.opened("checkpoint").models().checkpoint(saved(global), null);
    }

    public static void checkpoint(Model global, Model local) {
        Sessions.opened("checkpoint").models().checkpoint(saved(global), saved(local));
    }

    /**
     * Makes a checkpoint that keeps a reference to the model. The model is saved only when its bytes are needed, for
     * instance by another rank, or for a checkpoint on a disk ({@code ulfm.rabit.spill}).
     *
     * @param global does not change until the <em>next</em> checkpoint has returned, so a program keeps two models and
     *     swaps them: until then this model may be the only one to go back to
     */
    public static void lazyCheckpoint(Model global) {
        if (global == null) {
            throw new IllegalArgumentException("the model is null");
        }
        Sessions.opened("lazyCheckpoint").models().lazyCheckpoint(global);
    }

    /** The bytes that a model saves now. */
    static ByteBuffer saved(Model model) {
        if (model == null) {
            throw new IllegalArgumentException("the model is null");
        }
        ByteBuffer saved = model.save();
        if (saved == null) {
            throw new IllegalArgumentException(model.getClass().getName() + ".save returned null");
        }
        return saved.slice();
    }

    private static ByteBuffer copy(ByteBuffer bytes) {
        return ByteBuffer.allocate(bytes.remaining()).put(bytes).flip();
    }

    /**
     * Returns the part of a buffer that a result is written to, from its position to its limit. Throws if the buffer is
     * read-only, at the root of a broadcast too.
     */
    private static ByteBuffer writable(ByteBuffer data) {
        ByteBuffer part = part(data);
        if (part.isReadOnly()) {
            throw new IllegalArgumentException("the buffer is read-only, and the result is written to it");
        }
        return part;
    }

    private static ByteBuffer part(ByteBuffer data) {
        if (data == null) {
            throw new IllegalArgumentException("the buffer is null");
        }
        return data.slice();
    }

    private static int length(Object array) {
        if (array == null) {
            throw new IllegalArgumentException("the array is null");
        }
        return java.lang.reflect.Array.getLength(array);
    }

    private static int elementBytes(Datatype type) {
        if (type == null) {
            throw new IllegalArgumentException("the type is null");
        }
        return MpiRank.get().elementBytes(type);
    }

    private static void requireWhole(int bytes, int itemBytes) {
        if (itemBytes < 1 || bytes % itemBytes != 0) {
            throw new IllegalArgumentException(
                    bytes + " bytes are not a whole number of items of " + itemBytes + " bytes each");
        }
    }
}
