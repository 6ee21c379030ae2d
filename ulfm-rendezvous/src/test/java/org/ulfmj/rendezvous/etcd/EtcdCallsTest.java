package org.ulfmj.rendezvous.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class EtcdCallsTest {
    @Test
    void shouldSendNothingOnceTheTimeIsOver() throws Exception {
        AtomicInteger requests = new AtomicInteger();
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        server.createContext("/", exchange -> {
            requests.incrementAndGet();
            exchange.close();
        });
        server.start();
        try {
            String authority = "127.0.0.1:" + server.getAddress().getPort();
            EtcdCalls calls = new EtcdCalls(EtcdAccess.of(URI.create("http://" + authority)));

            EtcdFailure failure = catchThrowableOfType(
                    EtcdFailure.class, () -> calls.ask("/v3/kv/range", new JsonWriter(), System.nanoTime() - 1));

            assertThat(failure.isUnanswered()).isTrue();
            assertThat(failure.mayHaveRun())
                    .as("of a request that was never sent")
                    .isFalse();
            assertThat(failure)
                    .hasMessageEndingWith(
                            "the last attempt ended with: " + authority + ": the time was over before an attempt");
            assertThat(requests).hasValue(0);
        } finally {
            server.stop(0);
        }
    }
}
