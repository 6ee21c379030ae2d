package org.ulfmj.transport.shm;

import org.ulfmj.transport.NewcomerContract;

class ShmNewcomerTest extends NewcomerContract {
    @Override
    protected World newWorld(int ranks) {
        return new ShmWorld(ranks);
    }
}
