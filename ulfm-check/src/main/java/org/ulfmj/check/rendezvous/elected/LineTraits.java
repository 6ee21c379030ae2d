package org.ulfmj.check.rendezvous.elected;

import org.ulfmj.rendezvous.message.RendezvousCodec;
import org.ulfmj.rendezvous.message.RendezvousMessage;
import org.ulfmj.sim.ContentHash;
import org.ulfmj.sim.MessageTraits;

/**
 * What the simulator must know of the messages of these worlds. Messages to and from etcd never end, so they do not
 * keep a simulation running. Crashes can be aimed at confirmations.
 */
record LineTraits() implements MessageTraits<Line> {
    static final int SORTS = 2;

    @Override
    public boolean isBackground(Line line) {
        return line.kind() != Line.Kind.SAID && line.kind() != Line.Kind.CLOSED && line.kind() != Line.Kind.ADMITTED;
    }

    @Override
    public long digest(Line line) {
        if (line.welcome() != null) {
            return line.welcome().digest();
        }
        return line.number()
                + 31 * (line.message() == null ? 1 : ContentHash.ofBytes(RendezvousCodec.encode(line.message())));
    }

    @Override
    public int sortOf(Line line) {
        return line.message() instanceof RendezvousMessage.Confirm ? 1 : 0;
    }
}
