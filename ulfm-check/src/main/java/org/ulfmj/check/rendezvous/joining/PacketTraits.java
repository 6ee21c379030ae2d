package org.ulfmj.check.rendezvous.joining;

import org.ulfmj.rendezvous.message.RendezvousCodec;
import org.ulfmj.rendezvous.message.RendezvousMessage;
import org.ulfmj.sim.ContentHash;
import org.ulfmj.sim.MessageTraits;

/** What the simulator must know of the messages of the rendezvous. Crashes can be aimed at the confirmations. */
record PacketTraits() implements MessageTraits<Packet> {
    static final int SORTS = 2;

    @Override
    public long digest(Packet packet) {
        return packet.connection() + 31 * ContentHash.ofBytes(RendezvousCodec.encode(packet.message()));
    }

    @Override
    public int sortOf(Packet packet) {
        return packet.message() instanceof RendezvousMessage.Confirm ? 1 : 0;
    }
}
