package org.ulfmj.transport.local;

import org.ulfmj.transport.Fabric;
import org.ulfmj.transport.TransportContract;

class LocalTransportTest extends TransportContract {
    @Override
    protected World newWorld(int ranks) {
        LocalHub hub = new LocalHub(ranks);
        return new World() {
            @Override
            public Fabric fabric(int slot) {
                return hub.fabric(slot);
            }

            @Override
            public void kill(int slot) {
                hub.kill(slot);
            }

            @Override
            public void close() {
                for (int slot = 0; slot < ranks; slot++) {
                    hub.fabric(slot).close();
                }
            }
        };
    }
}
