package org.ulfmj.check.rendezvous.replacing;

import org.ulfmj.rendezvous.message.RendezvousCodec;
import org.ulfmj.rendezvous.message.RendezvousMessage;
import org.ulfmj.sim.ContentHash;
import org.ulfmj.sim.MessageTraits;

/**
 * What the simulator must know of the messages of these worlds. Crashes can be aimed at welcomes, at confirmations, and
 * at the messages that report a new world.
 */
record LetterTraits() implements MessageTraits<Letter> {
    static final int SORTS = 4;

    @Override
    public long digest(Letter letter) {
        RendezvousMessage message = letter.message();
        return letter.connection()
                + 31
                        * (message == null
                                ? letter.welcome().digest()
                                : ContentHash.ofBytes(RendezvousCodec.encode(message)));
    }

    @Override
    public int sortOf(Letter letter) {
        if (letter.welcome() != null) {
            return 1;
        }
        return letter.message() instanceof RendezvousMessage.Committed
                ? 2
                : letter.message() instanceof RendezvousMessage.Confirm ? 3 : 0;
    }
}
