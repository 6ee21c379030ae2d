package org.ulfmj.transport.local;

import org.ulfmj.transport.ShortPathContract;

class LocalShortPathTest extends ShortPathContract {
    @Override
    protected World newWorld(int ranks) {
        return new LocalRanks(ranks);
    }
}
