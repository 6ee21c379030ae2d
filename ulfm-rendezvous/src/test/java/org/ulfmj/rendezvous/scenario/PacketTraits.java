package org.ulfmj.rendezvous.scenario;

import org.ulfmj.rendezvous.RendezvousMessage;
import org.ulfmj.sim.MessageTraits;

/** Crashes can be aimed at the confirmations. */
record PacketTraits() implements MessageTraits<Packet> {
    static final int SORTS = 2;

    @Override
    public int sortOf(Packet packet) {
        return packet.message() instanceof RendezvousMessage.Confirm ? 1 : 0;
    }
}
