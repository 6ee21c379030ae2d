package org.ulfmj.runtime.collective;

import java.nio.ByteBuffer;

/**
 * Nobody leaves before everybody has entered, in ⌈log₂ n⌉ rounds (dissemination): in round k a rank tells the one 2^k
 * further on and hears from the one 2^k behind; it then knows of 2^(k+1) ranks that they have entered.
 */
public final class BarrierSchedule extends Schedule {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private int distance = 1;

    public BarrierSchedule() {
        super("barrier");
    }

    @Override
    boolean startRound(Messenger messenger) {
        int size = messenger.size();
        if (distance >= size) {
            return false;
        }
        await(messenger.receive((messenger.rank() + size - distance) % size, NOTHING, 0, 0));
        await(messenger.send((messenger.rank() + distance) % size, NOTHING, 0, 0));
        distance *= 2;
        return true;
    }
}
