package org.ulfmj.transport.shm;

import org.ulfmj.transport.ShortPathContract;

class ShmShortPathTest extends ShortPathContract {
    @Override
    protected World newWorld(int ranks) {
        return new ShmWorld(ranks);
    }
}
