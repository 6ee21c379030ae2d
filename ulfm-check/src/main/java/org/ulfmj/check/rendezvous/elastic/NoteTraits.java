package org.ulfmj.check.rendezvous.elastic;

import org.ulfmj.rendezvous.message.RendezvousCodec;
import org.ulfmj.rendezvous.message.RendezvousMessage;
import org.ulfmj.sim.ContentHash;
import org.ulfmj.sim.MessageTraits;

/**
 * What the simulator must know of the messages of these worlds. Crashes can be aimed at the messages by which a world
 * begins or changes.
 */
record NoteTraits() implements MessageTraits<Note> {
    static final int SORTS = 4;

    @Override
    public long digest(Note note) {
        long content = note.message() == null
                ? note.welcome().digest()
                : ContentHash.ofBytes(RendezvousCodec.encode(note.message()));
        return note.connection() + 31 * content;
    }

    /** Keep-alives, questions of the judge, and the answers to both do not keep a simulation running. */
    @Override
    public boolean isBackground(Note note) {
        return note.message() instanceof RendezvousMessage.KeepAlive
                || note.message() instanceof RendezvousMessage.Kept
                || note.message() instanceof RendezvousMessage.AreYouThere
                || note.message() instanceof RendezvousMessage.Here;
    }

    @Override
    public int sortOf(Note note) {
        if (note.welcome() != null) {
            return 1;
        }
        if (note.message() instanceof RendezvousMessage.Committed) {
            return 2;
        }
        return note.message() instanceof RendezvousMessage.Confirm ? 3 : 0;
    }
}
