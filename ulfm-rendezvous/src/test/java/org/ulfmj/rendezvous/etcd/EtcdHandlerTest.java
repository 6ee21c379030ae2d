package org.ulfmj.rendezvous.etcd;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.ulfmj.rendezvous.embed.HandlerContract;
import org.ulfmj.transport.auth.JobSecret;

class EtcdHandlerTest extends HandlerContract {
    private static final JobSecret SECRET = JobSecret.random();
    private static EtcdServer server;

    @BeforeAll
    static void start() throws Exception {
        server = RunningEtcd.start();
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    @Override
    protected String url(String job) {
        return "etcd://" + server.endpoint() + "/" + job;
    }

    @Override
    protected JobSecret secret() {
        return SECRET;
    }
}
