package org.ulfmj.check.grow;

import org.ulfmj.agree.message.ControlMessage;
import org.ulfmj.check.survivor.ControlTraits;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.sim.ContentHash;
import org.ulfmj.sim.MessageTraits;

/**
 * A message, and what the first message (HELLO) of its link has said: which process sends it under which name, and for
 * which process under which name it is meant.
 */
public record Letter(ProcessId from, long fromNonce, ProcessId to, long toNonce, ControlMessage message) {
    /** The traits of the messages in letters. */
    record Traits(ControlTraits ofMessages) implements MessageTraits<Letter> {
        @Override
        public boolean isBackground(Letter letter) {
            return ofMessages.isBackground(letter.message());
        }

        @Override
        public int sortOf(Letter letter) {
            return ofMessages.sortOf(letter.message());
        }

        @Override
        public int streamOf(Letter letter) {
            return ofMessages.streamOf(letter.message());
        }

        @Override
        public boolean mayRepeat(Letter letter) {
            return ofMessages.mayRepeat(letter.message());
        }

        @Override
        public long digest(Letter letter) {
            return ContentHash.of(letter.from() + " " + letter.fromNonce() + " " + letter.to() + " " + letter.toNonce())
                    ^ ofMessages.digest(letter.message());
        }

        @Override
        public Letter carry(Letter letter) {
            return new Letter(
                    letter.from(),
                    letter.fromNonce(),
                    letter.to(),
                    letter.toNonce(),
                    ofMessages.carry(letter.message()));
        }
    }
}
