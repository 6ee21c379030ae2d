package org.ulfmj.rendezvous.replacing;

import org.ulfmj.rendezvous.RendezvousMessage;
import org.ulfmj.sim.MessageTraits;

/** Crashes can be aimed at the words that a world is left or entered with. */
record LetterTraits() implements MessageTraits<Letter> {
    static final int SORTS = 4;

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
