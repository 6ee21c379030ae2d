package org.ulfmj.rabit;

import java.nio.ByteBuffer;
import java.util.SortedMap;
import java.util.TreeMap;
import org.ulfmj.agree.message.Kind;
import org.ulfmj.protocol.SlotRuns;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.rabit.engine.CommitNote;
import org.ulfmj.runtime.Arrival;
import org.ulfmj.runtime.Communicator;
import org.ulfmj.runtime.CommunicatorRecovery;
import org.ulfmj.runtime.message.SendMode;
import org.ulfmj.runtime.recovery.AgreedNotes;
import org.ulfmj.runtime.reduction.Reduction;
import org.ulfmj.runtime.transfer.Operation;
import org.ulfmj.transport.BufferPayload;
import org.ulfmj.transport.Payload;

/**
 * The world between two recoveries: a communicator of all ranks, and the operations that this mode makes on it. The
 * communicator is not the program's COMM_WORLD but has the same members, so that messages of the program never meet
 * messages of this mode. Throws the errors of the runtime.
 */
final class RabitEpoch implements NotesInParts.Agreements {
    /** The number that describes an exchange of notes by an allgather in its messages. */
    private static final long NOTES = 0x6e6f746573L;

    private static final String LABEL = "the recovery mode's COMM_WORLD";

    private final Communicator world;
    private final Communicator communicator;
    private final long number;

    /**
     * @param world the program's COMM_WORLD
     * @param number counts the epochs that this rank was in
     */
    RabitEpoch(Communicator world, long number) {
        this.world = world;
        this.communicator = world.creation().companion(LABEL);
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
     * @param mine the data of this rank, and in the end the result; unchanged if this method throws
     * @param result the result of all ranks; unspecified if this method throws
     * @param description names the operation, and is compared with those of other ranks
     * @return whether every rank is known to have begun the operation
     */
    boolean allReduce(Payload mine, ByteBuffer result, int elementBytes, Reduction reduction, long description) {
        return communicator.collectives().describedAllReduce(mine, result, elementBytes, reduction, description);
    }

    /** @param data the root's bytes; at other ranks the room for them */
    boolean broadcast(ByteBuffer data, int root, long description) {
        return communicator.collectives().describedBroadcast(data, root, description);
    }

    /** @param mine the part of this rank; null if it is already in its place in {@code all} */
    boolean allGather(Payload mine, ByteBuffer all, long description) {
        return communicator.collectives().describedAllGather(mine, all, description);
    }

    void barrier(long description) {
        communicator.collectives().describedBarrier(description);
    }

    /**
     * Revokes the communicators of this epoch, the program's COMM_WORLD too. A rank that waits in a collective or for a
     * message on them, now or later, gets an error; also in the program's own operations in COMM_WORLD.
     */
    void revoke() {
        communicator.recovery().revoke();
        world.recovery().revoke();
    }

    @Override
    public int mostNoteBytes() {
        return communicator.recovery().mostNoteBytes();
    }

    /** @param note not longer than {@link #mostNoteBytes}, nor than {@link CommitNote#MOST_BYTES} */
    AgreedNotes agreeToCommit(byte[] note) {
        return communicator.runtime().hasFaultTolerance()
                ? communicator.recovery().agreeNotes(Kind.COMMIT, note)
                : new AgreedNotes(true, SlotSet.EMPTY, gathered(note));
    }

    /**
     * Returns the notes of all ranks, by slot, which an allgather exchanges. Used in a job without fault tolerance: it
     * needs no agreement, because a failure ends the job.
     */
    private SortedMap<Integer, byte[]> gathered(byte[] note) {
        int block = Integer.BYTES + CommitNote.MOST_BYTES;
        ByteBuffer all = ByteBuffer.allocate(size() * block);
        all.putInt(rank() * block, note.length).put(rank() * block + Integer.BYTES, note);
        allGather(null, all, NOTES);
        SortedMap<Integer, byte[]> notes = new TreeMap<>();
        for (int rank = 0; rank < size(); rank++) {
            byte[] each = new byte[all.getInt(rank * block)];
            all.get(rank * block + Integer.BYTES, each);
            notes.put(members().slot(rank), each);
        }
        return notes;
    }

    AgreedNotes agreeOnSummary(byte[] note) {
        return new NotesInParts(this).agree(note);
    }

    @Override
    public AgreedNotes agreeOnPart(byte[] part) {
        return communicator.recovery().agreeNotes(Kind.SUMMARY, part);
    }

    /**
     * Has the dead ranks replaced, and returns the next epoch. An elastic job leaves the dead ranks out of the next
     * epoch instead; so does {@code ulfm.replace.policy=shrink} with those for which no process comes.
     *
     * @param letsIn whether this rank is for letting in processes that wait; for an elastic job, which lets in none if
     *     a rank is against it
     */
    RabitEpoch replace(boolean letsIn) {
        CommunicatorRecovery recovery = communicator.recovery();
        Communicator next = communicator.runtime().isElastic() ? recovery.growInRecovery(letsIn) : recovery.replace();
        communicator.free();
        return new RabitEpoch(next, number + 1);
    }

    /** Begins to send bytes, which must not change until {@link #await} returns for the operation. */
    Operation send(ByteBuffer bytes, int slot, int tag) {
        return communicator.send(new BufferPayload(bytes), members().rank(slot), tag, SendMode.STANDARD);
    }

    /** Waits for a message of the process in a slot, with this tag, and returns its bytes. */
    ByteBuffer receive(int slot, int tag) {
        int rank = members().rank(slot);
        Arrival found = new Arrival();
        communicator.probe(rank, tag, found);
        ByteBuffer room = ByteBuffer.allocate(Math.toIntExact(found.lengthBytes()));
        await(communicator.receive(new BufferPayload(room), rank, tag));
        return room;
    }

    void await(Operation operation) {
        communicator.await(operation);
        communicator.release(operation);
    }
}
