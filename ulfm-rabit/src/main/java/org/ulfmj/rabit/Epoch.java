package org.ulfmj.rabit;

import java.nio.ByteBuffer;
import org.ulfmj.agree.Kind;
import org.ulfmj.protocol.SlotRuns;
import org.ulfmj.runtime.AgreedNotes;
import org.ulfmj.runtime.Communicator;
import org.ulfmj.runtime.Operation;
import org.ulfmj.runtime.SendMode;
import org.ulfmj.runtime.reduction.Reduction;
import org.ulfmj.transport.BufferPayload;
import org.ulfmj.transport.Payload;

/**
 * The world between two failures: a communicator of all ranks, and the operations that this mode makes on it. Raises what the
 * runtime raises.
 */
final class Epoch {
    private final Communicator communicator;
    private final long number;

    /** @param number counts the epochs that this rank was in */
    Epoch(Communicator communicator, long number) {
        this.communicator = communicator;
        this.number = number;
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

    /**
     * @param mine the own data, and in the end the result too; if this throws it is what it was
     * @param result of all; unspecified if this throws
     * @param description of the operation, compared with that of all others
     * @return whether everybody is known to have begun it
     */
    boolean allReduce(Payload mine, ByteBuffer result, int elementBytes, Reduction reduction, long description) {
        return communicator.allReduce(mine, result, elementBytes, reduction, description);
    }

    /** @param data the root's, for all */
    boolean broadcast(ByteBuffer data, int root, long description) {
        return communicator.broadcast(data, root, description);
    }

    /** @param mine null if the own part is in its place */
    boolean allGather(Payload mine, ByteBuffer all, long description) {
        return communicator.allGather(mine, all, description);
    }

    void barrier(long description) {
        communicator.barrier(description);
    }

    /** Frees everybody who waits in an operation of this epoch, or will. */
    void revoke() {
        communicator.revoke();
    }

    AgreedNotes agreeToCommit(byte[] note) {
        return communicator.agreeNotes(Kind.COMMIT, note);
    }

    AgreedNotes agreeOnSummary(byte[] note) {
        return communicator.agreeNotes(Kind.SUMMARY, note);
    }

    /** The next epoch: the dead have successors. */
    Epoch replace() {
        return new Epoch(communicator.replace(), number + 1);
    }

    /** Reads {@code bytes} until {@link #await} returns. */
    Operation send(ByteBuffer bytes, int slot, int tag) {
        return communicator.send(new BufferPayload(bytes), members().rank(slot), tag, SendMode.STANDARD);
    }

    /** Waits for a message; null if it is empty. */
    ByteBuffer receive(int slot, int tag) {
        int rank = members().rank(slot);
        ByteBuffer room = ByteBuffer.allocate(
                Math.toIntExact(communicator.probe(rank, tag).lengthBytes()));
        await(communicator.receive(new BufferPayload(room), rank, tag));
        return room;
    }

    void await(Operation operation) {
        communicator.await(operation);
        communicator.release(operation);
    }
}
