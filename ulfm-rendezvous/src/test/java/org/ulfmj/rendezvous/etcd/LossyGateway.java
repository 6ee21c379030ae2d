package org.ulfmj.rendezvous.etcd;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLContext;

/** A proxy between a client and etcd that loses requests and answers, and delays requests, as a test decides. */
final class LossyGateway implements AutoCloseable {
    /** What becomes of a request. */
    enum Fate {
        PASSES,
        /** It does not come to etcd. */
        LOST,
        /** The request is carried out by etcd, and its answer is lost. */
        ANSWER_LOST,
        /** The request is held back and sent to etcd at {@link #releaseLate}. Its sender gets no answer. */
        LATE
    }

    /** Decides on each request. */
    interface Chance {
        Fate of(String path, String body);
    }

    private final URI etcd;
    private final Chance chance;
    private final HttpServer server;
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<HttpRequest> late = new ArrayList<>();

    /** @param tls null for plain HTTP */
    LossyGateway(EtcdServer etcd, SSLContext tls, Chance chance) throws IOException {
        this.etcd = URI.create("http://" + etcd.endpoint());
        this.chance = chance;
        InetSocketAddress free = new InetSocketAddress("127.0.0.1", 0);
        if (tls == null) {
            server = HttpServer.create(free, 0);
        } else {
            HttpsServer secure = HttpsServer.create(free, 0);
            secure.setHttpsConfigurator(new HttpsConfigurator(tls));
            server = secure;
        }
        server.createContext("/", this::pass);
        server.setExecutor(threads);
        server.start();
    }

    String endpoint() {
        return "127.0.0.1:" + server.getAddress().getPort();
    }

    EtcdClient client() {
        return new EtcdClient(EtcdAccess.of(URI.create("http://" + endpoint())));
    }

    private void pass(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        URI uri = etcd.resolve(exchange.getRequestURI().getPath());
        HttpRequest request = HttpRequest.newBuilder(uri)
                .POST(HttpRequest.BodyPublishers.ofByteArray(body))
                .build();
        Fate fate = chance.of(uri.getPath(), new String(body, StandardCharsets.UTF_8));
        if (fate == Fate.LATE) {
            synchronized (late) {
                late.add(request);
            }
        }
        try (exchange) {
            if (fate == Fate.PASSES || fate == Fate.ANSWER_LOST) {
                HttpResponse<byte[]> response = send(request);
                if (fate == Fate.PASSES) {
                    exchange.sendResponseHeaders(response.statusCode(), response.body().length);
                    exchange.getResponseBody().write(response.body());
                }
            }
        }
    }

    private HttpResponse<byte[]> send(HttpRequest request) throws IOException {
        try {
            return http.send(request, HttpResponse.BodyHandlers.ofByteArray());
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    /** How many requests are kept. */
    int kept() {
        synchronized (late) {
            return late.size();
        }
    }

    /** Sends the requests that were held back. Returns how many there were. */
    int releaseLate() throws IOException {
        synchronized (late) {
            for (HttpRequest request : late) {
                send(request);
            }
            int count = late.size();
            late.clear();
            return count;
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
