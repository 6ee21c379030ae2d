package org.ulfmj.transport.local;

import org.ulfmj.transport.NewcomerContract;

class LocalNewcomerTest extends NewcomerContract {
    @Override
    protected World newWorld(int ranks) {
        return new LocalRanks(ranks);
    }
}
