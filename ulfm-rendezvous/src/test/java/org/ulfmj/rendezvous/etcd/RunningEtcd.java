package org.ulfmj.rendezvous.etcd;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.URI;

/** Starts a real etcd for tests. Where etcd is not installed, the tests that start one are skipped. */
public final class RunningEtcd {
    private RunningEtcd() {}

    /** Skips the test if etcd is not installed. */
    static void assume() {
        assumeTrue(
                EtcdServer.binary() != null,
                "no etcd here (Debian: apt-get install etcd-server, or name it in " + EtcdServer.BINARY + ")");
    }

    /** Starts one. */
    public static EtcdServer start() throws IOException {
        assume();
        return EtcdServer.start();
    }

    static EtcdClient client(EtcdServer server) {
        return new EtcdClient(EtcdAccess.of(URI.create("http://" + server.endpoint())));
    }

    /** A deadline in a minute: enough for a call on a machine that is busy. */
    static long soon() {
        return System.nanoTime() + 60_000_000_000L;
    }
}
