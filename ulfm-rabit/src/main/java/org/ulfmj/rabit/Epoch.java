package org.ulfmj.rabit;

import java.nio.ByteBuffer;
import java.util.SortedMap;
import java.util.TreeMap;
import org.ulfmj.protocol.SlotRuns;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.runtime.Communicator;
import org.ulfmj.runtime.Operation;
import org.ulfmj.runtime.Reduction;
import org.ulfmj.runtime.SendMode;
import org.ulfmj.runtime.collective.AllGatherSchedule;
import org.ulfmj.runtime.collective.AllReduceSchedule;
import org.ulfmj.runtime.collective.BarrierSchedule;
import org.ulfmj.runtime.collective.Blocks;
import org.ulfmj.runtime.collective.BroadcastSchedule;
import org.ulfmj.transport.BufferPayload;
import org.ulfmj.transport.Payload;

/**
 * The world between two failures: a communicator of all ranks, and the operations that this mode makes on it. Raises what the
 * runtime raises.
 */
final class Epoch {
    private static final int EXCHANGE_TAG = 1;

    private final Communicator communicator;
    private final long number;

    /** @param number counts the epochs that this rank was in */
    Epoch(Communicator communicator, long number) {
        this.communicator = communicator;
        this.number = number;
    }

    Communicator communicator() {
        return communicator;
    }

    long number() {
        return number;
    }

    int rank() {
        return communicator.rank();
    }

    int size() {
        return communicator.size();
    }

    SlotRuns members() {
        return communicator.members();
    }

    /** @param result gets the combined vectors; holds anything if this throws */
    void allReduce(Payload mine, ByteBuffer result, int elementBytes, Reduction reduction, long description) {
        if (!communicator.allReduce(mine, new BufferPayload(result), elementBytes, reduction)) {
            mine.copyOut(0, result.duplicate().order(result.order()));
            communicator.run(new AllReduceSchedule(result, result, elementBytes, reduction));
        }
    }

    /** @param data the root's, for all */
    void broadcast(ByteBuffer data, int root, long description) {
        if (!communicator.broadcast(new BufferPayload(data), root)) {
            communicator.run(new BroadcastSchedule(data, root));
        }
    }

    void allGather(Payload mine, ByteBuffer all, long description) {
        if (!communicator.allGather(mine, new BufferPayload(all))) {
            int bytes = (int) mine.lengthBytes();
            ByteBuffer own = all.duplicate().order(all.order());
            own.limit((rank() + 1) * bytes).position(rank() * bytes);
            mine.copyOut(0, own.slice().order(all.order()));
            communicator.run(new AllGatherSchedule(null, all, Blocks.equal(size(), bytes)));
        }
    }

    void barrier(long description) {
        if (!communicator.barrier()) {
            communicator.run(new BarrierSchedule());
        }
    }

    /** Frees everybody who waits in an operation of this epoch, or will. */
    void revoke() {
        communicator.revoke();
    }

    boolean isRevoked() {
        return communicator.isRevoked();
    }

    /** What all agreed on. */
    record Agreed(boolean isOfThisKindOnly, SlotSet failed, SortedMap<Integer, byte[]> notes) {}

    Agreed agreeToCommit(byte[] note) {
        communicator.agree(1);
        SortedMap<Integer, byte[]> notes = new TreeMap<>();
        notes.put(communicator.members().slot(rank()), note);
        return new Agreed(true, SlotSet.EMPTY, notes);
    }

    /** Reads {@code bytes} until {@link #await} returns. */
    Operation send(ByteBuffer bytes, int slot) {
        return communicator.send(new BufferPayload(bytes), members().rank(slot), EXCHANGE_TAG, SendMode.STANDARD);
    }

    void receive(ByteBuffer bytes, int slot) {
        await(communicator.receive(new BufferPayload(bytes), members().rank(slot), EXCHANGE_TAG));
    }

    void await(Operation operation) {
        communicator.await(operation);
        communicator.release(operation);
    }
}
