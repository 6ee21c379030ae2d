package org.ulfmj.runtime;

import java.nio.ByteBuffer;
import org.ulfmj.runtime.collective.AllToAllSchedule;
import org.ulfmj.runtime.collective.Blocks;
import org.ulfmj.runtime.collective.CollectiveBuffer;
import org.ulfmj.runtime.collective.CollectiveSchedule;
import org.ulfmj.runtime.collective.Neighborhood;
import org.ulfmj.runtime.error.DescriptionMismatch;
import org.ulfmj.runtime.reduction.Reduction;
import org.ulfmj.transport.Payload;

/**
 * The blocking collective operations of a communicator: each method returns when this rank's part of the operation is
 * done. Where the hints about errors ask for it, an operation ends with the same result or error at all members, but
 * for {@link #exchange} and the operations with a description.
 *
 * <p>On an inter-communicator a group gets data of the other one: a buffer that has parts has one for each rank of the
 * other group, except in {@link #reduceScatter}, where it has one for each rank of the caller's group. A root argument
 * is {@link Communicator#ROOT}, {@link Communicator#PROC_NULL} or a rank of the other group, and a buffer that the
 * caller's role does not use is null.
 *
 * <p>Threads and errors as for {@link Communicator}.
 */
public final class BlockingCollectives {
    private final CollectiveOperations operations;
    private final CommunicatorState state;

    BlockingCollectives(CollectiveOperations operations, CommunicatorState state) {
        this.operations = operations;
        this.state = state;
    }

    /** Runs the schedule of a collective operation to its end, by messages. */
    void run(CollectiveSchedule schedule) {
        operations.run(state, schedule, 0);
    }

    /** Barrier: no rank returns before every rank has called it. */
    public void barrier() {
        if (state.isUniform()) {
            state.uniformCollectives().run("barrier", () -> operations.barrier(state));
        } else {
            operations.barrier(state);
        }
    }

    /** The root's {@code data} at all ranks. */
    public void broadcast(CollectiveBuffer data, int root) {
        if (state.isUniform()) {
            state.uniformCollectives().run("bcast", () -> operations.broadcast(state, data, root));
        } else {
            operations.broadcast(state, data, root);
        }
    }

    /**
     * Gathers the parts of all ranks at the root.
     *
     * @param send null if the root's part lies in its place in {@code receive} already
     * @param receive null at all ranks but the root
     * @param areEqual whether all parts are equally long by the kind of the call: the same at all members
     */
    public void gather(CollectiveBuffer send, CollectiveBuffer receive, boolean areEqual, int root) {
        if (state.isUniform()) {
            state.uniformCollectives().run("gather", () -> operations.gather(state, send, receive, areEqual, root));
        } else {
            operations.gather(state, send, receive, areEqual, root);
        }
    }

    /**
     * Scatters: part r of the root's buffer goes to rank r.
     *
     * @param send null at all ranks but the root
     * @param receive null if the root's part is to stay in its place
     */
    public void scatter(CollectiveBuffer send, CollectiveBuffer receive, int root) {
        if (state.isUniform()) {
            state.uniformCollectives().run("scatter", () -> operations.scatter(state, send, receive, root));
        } else {
            operations.scatter(state, send, receive, root);
        }
    }

    /**
     * Gathers the parts of all ranks, in rank order, at all ranks; {@code send} is null if this rank's part is in its
     * place in {@code receive}.
     */
    public void allGather(CollectiveBuffer send, CollectiveBuffer receive) {
        if (state.isUniform()) {
            state.uniformCollectives().run("allGather", () -> operations.allGather(state, send, receive));
        } else {
            operations.allGather(state, send, receive);
        }
    }

    /** Sends part r of {@code send} to rank r, and receives part r of {@code receive} from rank r. */
    public void allToAll(CollectiveBuffer send, CollectiveBuffer receive) {
        if (state.isUniform()) {
            state.uniformCollectives().run("allToAll", () -> operations.allToAll(state, send, receive));
        } else {
            operations.allToAll(state, send, receive);
        }
    }

    /**
     * A neighbour collective: sends a part of {@code send} to each destination of a topology, and receives a part of
     * {@code receive} from each source.
     *
     * @param operation the name of the call as the program wrote it
     * @param send has one part, which goes to each destination, or a part for each destination
     */
    public void neighbors(String operation, Neighborhood neighbors, CollectiveBuffer send, CollectiveBuffer receive) {
        if (state.isUniform()) {
            state.uniformCollectives()
                    .run(operation, () -> operations.neighbors(state, operation, neighbors, send, receive));
        } else {
            operations.neighbors(state, operation, neighbors, send, receive);
        }
    }

    /**
     * Sends block r of {@code send} to rank r, and receives block r of {@code receive} from it: packed bytes, as one
     * step of the operation {@code operation}.
     */
    public void exchange(
            String operation, ByteBuffer send, Blocks sendBlocks, ByteBuffer receive, Blocks receiveBlocks) {
        run(new AllToAllSchedule(operation, send, sendBlocks, receive, receiveBlocks));
    }

    /**
     * Combines the vectors of all ranks by {@code reduction}; the root gets the result. {@code receive} is null at all
     * other ranks, and may be the same object as {@code send}.
     */
    public void reduce(
            CollectiveBuffer send, CollectiveBuffer receive, int elementBytes, Reduction reduction, int root) {
        if (state.isUniform()) {
            state.uniformCollectives()
                    .run("reduce", () -> operations.reduce(state, send, receive, elementBytes, reduction, root));
        } else {
            operations.reduce(state, send, receive, elementBytes, reduction, root);
        }
    }

    /**
     * Combines the vectors of all ranks by {@code reduction}; all ranks get the result. {@code receive} may be
     * {@code send}.
     */
    public void allReduce(CollectiveBuffer send, CollectiveBuffer receive, int elementBytes, Reduction reduction) {
        if (state.isUniform()) {
            state.uniformCollectives()
                    .run("allReduce", () -> operations.allReduce(state, send, receive, elementBytes, reduction));
        } else {
            operations.allReduce(state, send, receive, elementBytes, reduction);
        }
    }

    /** Inclusive scan: rank r gets the vectors of ranks 0 to r combined; {@code receive} may be {@code send}. */
    public void scan(CollectiveBuffer send, CollectiveBuffer receive, int elementBytes, Reduction reduction) {
        if (state.isUniform()) {
            state.uniformCollectives()
                    .run("scan", () -> operations.scan(state, send, receive, elementBytes, reduction));
        } else {
            operations.scan(state, send, receive, elementBytes, reduction);
        }
    }

    /**
     * Exclusive scan: rank r gets the vectors of ranks 0 to r − 1 combined; at rank 0 {@code receive} stays as it is.
     */
    public void exclusiveScan(CollectiveBuffer send, CollectiveBuffer receive, int elementBytes, Reduction reduction) {
        if (state.isUniform()) {
            state.uniformCollectives()
                    .run("exScan", () -> operations.exclusiveScan(state, send, receive, elementBytes, reduction));
        } else {
            operations.exclusiveScan(state, send, receive, elementBytes, reduction);
        }
    }

    /** Combines the vectors of all ranks by {@code reduction}; rank r gets part r of the result. */
    public void reduceScatter(CollectiveBuffer send, CollectiveBuffer receive, int elementBytes, Reduction reduction) {
        if (state.isUniform()) {
            state.uniformCollectives()
                    .run(
                            "reduceScatter",
                            () -> operations.reduceScatter(state, send, receive, elementBytes, reduction));
        } else {
            operations.reduceScatter(state, send, receive, elementBytes, reduction);
        }
    }

    /**
     * Combines the vectors of all ranks, and gives the result to all ranks, in an operation with a description. The
     * result lies between position and limit of its buffer; neither is moved. After an error the content of that buffer
     * is unspecified.
     *
     * @param mine this rank's vector, over which the result is written in the end; after an error it is unchanged. Null
     *     if the vector is in {@code result}
     * @param description the number by which members compare which operation each is in: equal at all members, or the
     *     operation is in error. 0 means none
     * @return true only if this rank knew at its end of the operation that all other ranks had begun it: then they have
     *     the results of all operations before. False at a rank without others
     * @throws DescriptionMismatch at each rank that finds a member in another operation; the others may wait until a
     *     rank revokes the communicator
     */
    public boolean describedAllReduce(
            Payload mine, ByteBuffer result, int elementBytes, Reduction reduction, long description) {
        return operations.describedAllReduce(state, mine, result, elementBytes, reduction, description);
    }

    /**
     * As {@link #describedAllReduce}, for a broadcast: all ranks get the root's bytes.
     *
     * @return false: the root does not wait for the other ranks
     */
    public boolean describedBroadcast(ByteBuffer data, int root, long description) {
        return operations.describedBroadcast(state, data, root, description);
    }

    /**
     * As {@link #describedAllReduce}, for an allgather: all ranks get the equally long parts of all ranks, in rank
     * order.
     *
     * @param mine this rank's part; null if the part is in its place in {@code all}
     */
    public boolean describedAllGather(Payload mine, ByteBuffer all, long description) {
        return operations.describedAllGather(state, mine, all, description);
    }

    /** As {@link #describedAllReduce}, for a barrier: no rank returns before every rank has called it. */
    public boolean describedBarrier(long description) {
        return operations.describedBarrier(state, description);
    }
}
