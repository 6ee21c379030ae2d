package org.ulfmj.rendezvous.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
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

    @Test
    void shouldLogInAnewOnceUsersOfEtcdHaveChanged() throws Exception {
        AtomicInteger logins = new AtomicInteger();
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        server.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            boolean isLogin = exchange.getRequestURI().getPath().endsWith("/authenticate");
            String token = "token " + (isLogin ? logins.incrementAndGet() : logins.get());
            boolean isOld = !isLogin && token.equals("token 1");
            byte[] answer = (isLogin
                            ? "{\"token\":\"" + token + "\"}"
                            : isOld ? "{\"code\":3,\"message\":\"etcdserver: revision of auth store is old\"}" : "{}")
                    .getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(isOld ? 400 : 200, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        server.start();
        try {
            URI endpoint = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
            EtcdCalls calls = new EtcdCalls(new EtcdAccess(List.of(endpoint), null, "user", "password"));
            calls.ask("/v3/kv/range", new JsonWriter(), System.nanoTime() + 60_000_000_000L);
            assertThat(logins).hasValue(2);
        } finally {
            server.stop(0);
        }
    }
}
