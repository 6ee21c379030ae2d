package org.ulfmj.transport.shm;

import org.ulfmj.transport.TransportContract;

class ShmTransportTest extends TransportContract {
    @Override
    protected World newWorld(int ranks) {
        return new ShmWorld(ranks);
    }
}
