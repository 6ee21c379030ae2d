package org.ulfmj.rendezvous.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.ulfmj.rendezvous.embed.RendezvousFailure;
import org.ulfmj.rendezvous.embed.SharedStore;
import org.ulfmj.rendezvous.marked.Txn;
import org.ulfmj.rendezvous.marked.TxnAnswer;

class EtcdClientTest {
    private static final ExecutorService THREADS = Executors.newCachedThreadPool();
    private static EtcdServer server;

    @TempDir
    private Path directory;

    @BeforeAll
    static void start() throws Exception {
        server = RunningEtcd.start();
    }

    @AfterAll
    static void stop() {
        THREADS.shutdownNow();
        if (server != null) {
            server.close();
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static long inMs(long ms) {
        return System.nanoTime() + ms * 1_000_000;
    }

    @Test
    void shouldCarryOutTransactions() {
        try (EtcdClient client = RunningEtcd.client(server)) {
            byte[] key = bytes("t/a");
            Txn create = new Txn()
                    .ifCreated(key, 0)
                    .thenPut(key, bytes("1"), 0)
                    .elseGet(key)
                    .elseGet(bytes("t/b"));
            TxnAnswer first = client.txn(create, RunningEtcd.soon());
            assertThat(first.succeeded()).isTrue();
            TxnAnswer again = client.txn(create, RunningEtcd.soon());
            assertThat(again.succeeded()).isFalse();
            assertThat(again.read().get(0).value()).isEqualTo(bytes("1"));
            assertThat(again.read().get(0).modified()).isEqualTo(first.revision());
            assertThat(again.read().get(1)).isNull();
            Txn change = new Txn()
                    .ifModified(key, first.revision())
                    .ifValue(key, bytes("1"))
                    .thenDelete(key);
            assertThat(client.txn(change, RunningEtcd.soon()).succeeded()).isTrue();
            assertThat(client.get(key, RunningEtcd.soon())).isNull();
            Txn ofNothing = new Txn().ifValue(key, bytes("1")).thenPut(key, bytes("2"), 0);
            assertThat(client.txn(ofNothing, RunningEtcd.soon()).succeeded()).isFalse();
        }
    }

    @Test
    void shouldGrantRenewAndRevokeLeases() {
        try (EtcdClient client = RunningEtcd.client(server)) {
            EtcdLease lease = client.grant(100, RunningEtcd.soon());
            assertThat(lease.ttlSeconds()).isEqualTo(100);
            client.put(bytes("l/a"), bytes("1"), lease.id(), RunningEtcd.soon());
            assertThat(client.keepAlive(lease.id(), RunningEtcd.soon())).isTrue();
            assertThat(client.revoke(lease.id(), RunningEtcd.soon())).isTrue();
            assertThat(client.get(bytes("l/a"), RunningEtcd.soon())).isNull();
            assertThat(client.keepAlive(lease.id(), RunningEtcd.soon())).isFalse();
            assertThat(client.revoke(lease.id(), RunningEtcd.soon())).isFalse();
            assertThatThrownBy(() -> client.put(bytes("l/a"), bytes("1"), lease.id(), RunningEtcd.soon()))
                    .isInstanceOfSatisfying(EtcdFailure.class, failure -> {
                        assertThat(failure.isNotFound()).isTrue();
                        assertThat(failure).hasMessage("etcdserver: requested lease not found");
                    });
        }
    }

    @Test
    void shouldGoToAnEndpointThatAnswers() throws Exception {
        // The port is bound, so that no other process can listen there, and not listened on, so that a connection is
        // refused.
        try (Socket taken = new Socket()) {
            taken.bind(new InetSocketAddress("127.0.0.1", 0));
            leaveTheDeadEndpoint(taken.getLocalPort());
        }
    }

    private static void leaveTheDeadEndpoint(int dead) {
        URI unreachable = URI.create("http://127.0.0.1:" + dead);
        EtcdAccess access = EtcdAccess.of(unreachable, URI.create("http://" + server.endpoint()));
        try (EtcdClient client = new EtcdClient(access)) {
            assertThat(client.put(bytes("e"), bytes("1"), 0, RunningEtcd.soon()))
                    .isPositive();
        }
        try (EtcdClient client = new EtcdClient(EtcdAccess.of(unreachable, unreachable))) {
            EtcdFailure failure = failureOf(client, 200);
            // The time limit may end in the middle of an attempt; whether that attempt was carried out is then unknown,
            // so the call is repeated with more time.
            for (long ms = 400; hadTooLittleTime(failure.getMessage()) && ms < 60_000; ms *= 2) {
                failure = failureOf(client, ms);
            }
            assertThat(failure.mayHaveRun()).isFalse();
            assertThat(failure)
                    .hasMessageStartingWith("no answer of etcd at [" + unreachable + ", " + unreachable + "] within ")
                    .hasMessageContaining("; the last attempt ended with: 127.0.0.1:" + dead + ": ");
        }
    }

    private static EtcdFailure failureOf(EtcdClient client, long ms) {
        return catchThrowableOfType(EtcdFailure.class, () -> client.get(bytes("e"), inMs(ms)));
    }

    private static HttpServer answering(int code, byte[] body) throws IOException {
        HttpServer http = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        http.createContext("/", exchange -> {
            try (exchange) {
                exchange.getRequestBody().readAllBytes();
                exchange.sendResponseHeaders(code, body.length == 0 ? -1 : body.length);
                exchange.getResponseBody().write(body);
            }
        });
        http.setExecutor(THREADS);
        http.start();
        return http;
    }

    private static String messageOf(EtcdClient client, long ms) {
        try {
            return "read: " + client.get(bytes("e"), inMs(ms));
        } catch (EtcdFailure failure) {
            return failure.getMessage();
        }
    }

    /**
     * Returns the message of a call's failure, or what the call has read. Repeats the call with twice the time until
     * there was an answer.
     */
    private static String answerOf(EtcdClient client) {
        String message = messageOf(client, 100);
        for (long ms = 200; hadTooLittleTime(message) && ms < 60_000; ms *= 2) {
            message = messageOf(client, ms);
        }
        return message;
    }

    private static boolean hadTooLittleTime(String message) {
        return message.endsWith(": no answer") || message.endsWith(": the time was over before an attempt");
    }

    private static void assertAnswer(int code, byte[] body, String expected) throws IOException {
        HttpServer http = answering(code, body);
        String endpoint = "127.0.0.1:" + http.getAddress().getPort();
        try (EtcdClient client = new EtcdClient(EtcdAccess.of(URI.create("http://" + endpoint)))) {
            assertThat(answerOf(client)).contains(expected.replace("HERE", endpoint));
        } finally {
            http.stop(0);
        }
    }

    @Test
    void shouldSayWhatAnswersInThePlaceOfEtcd() throws Exception {
        assertAnswer(
                404, bytes("Not Found"), "HERE answers /v3/kv/range with HTTP 404: no etcd of version 3.4 or later");
        assertAnswer(503, bytes("busy"), "HERE answers /v3/kv/range with HTTP 503");
        assertAnswer(200, bytes("<html>"), "HERE is no etcd: '<' at character 0 of 6, where '{' was due");
        assertAnswer(200, new byte[0], "HERE: the connection ended");
        assertAnswer(503, bytes("{\"error\":\"etcdserver: no leader\",\"code\":14}"), "HERE: etcdserver: no leader");
    }

    /** The gateway reports the error in a response with status 200. */
    @Test
    void shouldNotTakeALeaseForEndedThatEtcdCouldNotRenew() throws Exception {
        HttpServer http = answering(200, bytes("{\"error\":{\"grpc_code\":14,\"message\":\"etcdserver: no leader\"}}"));
        URI endpoint = URI.create("http://127.0.0.1:" + http.getAddress().getPort());
        try (EtcdClient client = new EtcdClient(EtcdAccess.of(endpoint))) {
            assertThatThrownBy(() -> client.keepAlive(7, RunningEtcd.soon()))
                    .isInstanceOf(EtcdFailure.class)
                    .hasMessage("a lease was not renewed: etcdserver: no leader");
        } finally {
            http.stop(0);
        }
    }

    @Test
    void shouldEndAtItsTimeThoughTheServerIsSilent() throws Exception {
        try (ServerSocket silent = new ServerSocket(0);
                EtcdClient client =
                        new EtcdClient(EtcdAccess.of(URI.create("http://127.0.0.1:" + silent.getLocalPort())))) {
            EtcdFailure failure = failureOf(client, 100);
            // The time limit may end before the first attempt; then the call is repeated with more time.
            for (long ms = 200; !failure.mayHaveRun() && ms < 60_000; ms *= 2) {
                failure = failureOf(client, ms);
            }
            assertThat(failure.mayHaveRun()).isTrue();
        }
    }

    @Test
    void shouldUseTlsWithTheAuthoritiesThatAreGiven() throws Exception {
        Path keys = directory.resolve("keys.p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-keyalg",
                        "EC",
                        "-alias",
                        "etcd",
                        "-dname",
                        "CN=etcd",
                        "-ext",
                        "san=ip:127.0.0.1",
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        "secret",
                        "-keystore",
                        keys.toString())
                .redirectErrorStream(true)
                .start();
        keytool.getInputStream().readAllBytes();
        assertThat(keytool.waitFor(60, TimeUnit.SECONDS)).isTrue();
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(keys)) {
            store.load(in, "secret".toCharArray());
        }
        Path pem = directory.resolve("ca.pem");
        Files.writeString(
                pem,
                "-----BEGIN CERTIFICATE-----\n"
                        + Base64.getMimeEncoder()
                                .encodeToString(store.getCertificate("etcd").getEncoded())
                        + "\n-----END CERTIFICATE-----\n");
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(store, "secret".toCharArray());
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(factory.getKeyManagers(), null, null);
        try (LossyGateway gateway = new LossyGateway(server, tls, (path, body) -> LossyGateway.Fate.PASSES)) {
            try (SharedStore trusted = SharedStore.open("etcds://" + gateway.endpoint() + "/tls?cacert=" + pem)) {
                assertThat(trusted.add("n", 1)).isEqualTo(1);
            }
            EtcdAccess untrusted = EtcdAccess.of(URI.create("https://" + gateway.endpoint()));
            try (EtcdClient client = new EtcdClient(untrusted)) {
                assertThat(answerOf(client)).contains("TLS: ");
            }
        }
    }

    /** Uses a separate etcd: with authentication switched on, other tests could not use it any more. */
    @Test
    void shouldLogInWhereEtcdAsksForIt() throws Exception {
        try (EtcdServer guarded = RunningEtcd.start();
                EtcdClient admin = RunningEtcd.client(guarded)) {
            admin.call(
                    "/v3/auth/user/add",
                    new JsonWriter().text("name", "root").text("password", "pw\"1"),
                    RunningEtcd.soon());
            admin.call(
                    "/v3/auth/user/grant",
                    new JsonWriter().text("user", "root").text("role", "root"),
                    RunningEtcd.soon());
            admin.call("/v3/auth/enable", new JsonWriter(), RunningEtcd.soon());
            String url = "etcd://" + guarded.endpoint() + "/auth";
            Path right = Files.writeString(directory.resolve("right"), "pw\"1\n");
            Path wrong = Files.writeString(directory.resolve("wrong"), "pw2");
            try (SharedStore store = SharedStore.open(url + "?user=root&password_file=" + right)) {
                assertThat(store.add("n", 1)).isEqualTo(1);
                assertThat(store.waitFor("n", Duration.ofSeconds(60)).text()).isEqualTo("1");
            }
            assertThatThrownBy(() -> SharedStore.open(url + "?user=root&password_file=" + wrong))
                    .isInstanceOf(RendezvousFailure.Refused.class)
                    .hasMessageContaining("authentication failed, invalid user ID or password");
            assertThatThrownBy(() -> SharedStore.open(url))
                    .isInstanceOf(RendezvousFailure.Refused.class)
                    .hasMessageContaining("this etcd asks for user and password_file");
        }
    }

    @Test
    void shouldNotTellThePassword() {
        EtcdAccess access = new EtcdAccess(List.of(URI.create("http://h:1")), null, "u", "hidden");
        assertThat(access).hasToString("etcd at [http://h:1]");
        assertThatThrownBy(() -> new EtcdAccess(List.of(URI.create("http://h:1")), null, "u", null))
                .hasMessageContaining("needs a password");
        assertThatThrownBy(() -> new EtcdAccess(List.of(), null, null, null)).hasMessage("etcd without an endpoint");
    }
}
