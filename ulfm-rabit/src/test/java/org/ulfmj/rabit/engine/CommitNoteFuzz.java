package org.ulfmj.rabit.engine;

import java.util.List;
import org.ulfmj.sim.fuzz.FuzzTarget;

/** Feeds the reader of {@code CommitNote}, the note by which a rank commits a checkpoint, with damaged notes. */
final class CommitNoteFuzz implements FuzzTarget {
    @Override
    public List<byte[]> samples() {
        CommitNote note = new CommitNote(
                CommitNote.Intent.CHECKPOINT, Position.ofVersion(3), true, 5, -7, "Boost.main(Boost.java:12)");
        return List.of(note.toBytes(1000), note.toBytes(CommitNote.LEAST_BYTES));
    }

    @Override
    public void parse(byte[] input) {
        CommitNote.fromBytes(input);
    }
}
