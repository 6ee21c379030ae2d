package org.ulfmj.transport.local;

import org.ulfmj.transport.TransportContract;

class LocalTransportTest extends TransportContract {
    @Override
    protected World newWorld(int ranks) {
        return new LocalRanks(ranks);
    }
}
