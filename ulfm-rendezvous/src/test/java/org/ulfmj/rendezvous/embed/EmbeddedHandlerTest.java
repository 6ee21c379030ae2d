package org.ulfmj.rendezvous.embed;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.ulfmj.rendezvous.server.StoreHost;
import org.ulfmj.transport.auth.JobSecret;

class EmbeddedHandlerTest extends HandlerContract {
    private static final JobSecret SECRET = JobSecret.random();
    private static final SortedMap<String, StoreHost> HOSTS = new TreeMap<>();

    @Override
    protected String url(String job) {
        StoreHost host = HOSTS.computeIfAbsent(job, name -> {
            try {
                return new StoreHost("127.0.0.1", 0, name, SECRET);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        return "embedded://127.0.0.1:" + host.port() + "/" + job;
    }

    @Override
    protected JobSecret secret() {
        return SECRET;
    }

    @AfterAll
    static void closeHosts() {
        HOSTS.values().forEach(StoreHost::close);
    }
}
