package org.ulfmj.rendezvous.etcd;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.function.Supplier;
import javax.net.ssl.SSLException;

/**
 * Sends requests to etcd's gateway: finds an endpoint that answers, tries again until the time has passed, and logs in
 * first if the {@link EtcdAccess} names a user. A request may reach etcd twice, so the caller makes each request so
 * that this does no harm.
 *
 * <p>Any thread. A call waits for its answer; an interrupt does not end it, and the flag is kept.
 */
final class EtcdCalls {
    private static final Duration CONNECT = Duration.ofSeconds(5);

    /** An endpoint that has not answered an attempt for this long is given up for the next one; not for a stream. */
    private static final long ATTEMPT_NS = 5_000_000_000L;

    private static final long FIRST_PAUSE_NS = 10_000_000;
    private static final long LONGEST_PAUSE_NS = 250_000_000;
    /** After how long at most a call that waits for an answer notices that the client was closed. */
    private static final long STEP_NS = 100_000_000;

    private static final int OK = 200;
    private static final int SERVER_ERROR = 500;
    private static final int UNAVAILABLE = 14;
    private static final int DEADLINE_EXCEEDED = 4;

    /**
     * An answer of etcd to a request.
     *
     * @param mayHaveRun whether an earlier attempt of the request may have been carried out: it got no answer, or one
     *     that does not tell
     */
    record Answer(JsonObject body, boolean mayHaveRun) {}

    private final EtcdAccess access;
    private final HttpClient http;

    /** The index of the endpoint that is asked next: the one that was asked last or, if it did not answer, the next. */
    private volatile int endpoint;

    private volatile String token;
    private volatile boolean isClosed;

    EtcdCalls(EtcdAccess access) {
        this.access = access;
        HttpClient.Builder builder = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(CONNECT);
        if (access.tls() != null) {
            builder.sslContext(access.tls());
        }
        http = builder.build();
    }

    /** Closes this client: calls that wait, and later ones, fail soon. */
    void close() {
        isClosed = true;
    }

    /**
     * Asks until there is an answer.
     *
     * @param untilNs the time limit, by the clock of {@link System#nanoTime}
     * @throws EtcdFailure without an answer until then, or if etcd refuses the request
     */
    Answer ask(String path, JsonWriter request, long untilNs) {
        return ask(path, request, untilNs, LimitedBody::whole, ATTEMPT_NS);
    }

    /** Asks for a stream that does not end by itself, and waits for its first line for which {@code isEnough} holds. */
    Answer awaitLine(String path, JsonWriter request, long untilNs, Predicate<byte[]> isEnough) {
        return ask(path, request, untilNs, () -> LimitedBody.firstLine(isEnough), Long.MAX_VALUE);
    }

    private Answer ask(String path, JsonWriter request, long untilNs, Supplier<LimitedBody> body, long attemptNs) {
        long beganNs = System.nanoTime();
        long pauseNs = FIRST_PAUSE_NS;
        boolean mayHaveRun = false;
        boolean hasLoggedIn = false;
        byte[] bytes = request.toBytes();
        while (true) {
            int chosen = endpoint;
            EtcdFailure failure;
            try {
                logIn(chosen, untilNs);
                return new Answer(attempt(chosen, path, bytes, untilNs, body.get(), attemptNs), mayHaveRun);
            } catch (EtcdFailure failed) {
                failure = failed;
            }
            mayHaveRun |= failure.mayHaveRun();
            if (failure.isUnauthenticated() && access.user() != null && !hasLoggedIn) {
                token = null;
                hasLoggedIn = true;
                continue;
            }
            if (!failure.isUnanswered()) {
                throw EtcdFailure.refusedAfter(failure, mayHaveRun);
            }
            endpoint = (chosen + 1) % access.endpoints().size();
            boolean mayPause = !isClosed && !isOver(untilNs - pauseNs);
            if (mayPause) {
                pause(pauseNs);
            }
            // The pause may have lasted longer than it was meant to.
            if (!mayPause || isOver(untilNs)) {
                throw EtcdFailure.unanswered(mayHaveRun, unanswered(beganNs, failure), failure);
            }
            pauseNs = Math.min(2 * pauseNs, LONGEST_PAUSE_NS);
        }
    }

    private String unanswered(long beganNs, EtcdFailure last) {
        return "no answer of " + access + " within " + (System.nanoTime() - beganNs) / 1_000_000
                + " ms; the last attempt ended with: " + last.getMessage();
    }

    private void logIn(int chosen, long untilNs) {
        if (access.user() == null || token != null) {
            return;
        }
        JsonWriter request = new JsonWriter().text("name", access.user()).text("password", access.password());
        token = attempt(chosen, "/v3/auth/authenticate", request.toBytes(), untilNs, LimitedBody.whole(), ATTEMPT_NS)
                .text("token");
    }

    private static boolean isOver(long untilNs) {
        return System.nanoTime() - untilNs >= 0;
    }

    /** Makes one attempt at one endpoint. Nothing is sent once the time has passed. */
    private JsonObject attempt(
            int chosen, String path, byte[] request, long untilNs, LimitedBody body, long attemptNs) {
        URI uri = access.endpoints().get(chosen).resolve(path);
        if (isOver(untilNs)) {
            throw EtcdFailure.unanswered(false, uri.getAuthority() + ": the time was over before an attempt", null);
        }
        HttpRequest.Builder builder = HttpRequest.newBuilder(uri)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofByteArray(request));
        if (token != null) {
            builder.header("Authorization", token);
        }
        CompletableFuture<HttpResponse<byte[]>> coming =
                http.sendAsync(builder.build(), info -> info.statusCode() == OK ? body : LimitedBody.whole());
        long endNs = attemptNs == Long.MAX_VALUE ? untilNs : Math.min(untilNs, System.nanoTime() + attemptNs);
        try {
            return read(uri, await(coming, endNs));
        } catch (TimeoutException late) {
            throw EtcdFailure.unanswered(true, uri.getAuthority() + ": no answer", late);
        } catch (ExecutionException e) {
            throw failure(uri, e.getCause());
        } catch (JsonException e) {
            throw EtcdFailure.unanswered(true, uri.getAuthority() + " is no etcd: " + e.getMessage(), e);
        } finally {
            body.giveUp();
            coming.cancel(true);
        }
    }

    private static EtcdFailure failure(URI uri, Throwable cause) {
        if (cause instanceof JsonException) {
            return EtcdFailure.unanswered(true, uri.getAuthority() + " is no etcd: " + cause.getMessage(), cause);
        }
        boolean wasNotSent = cause instanceof ConnectException || cause instanceof HttpConnectTimeoutException;
        String what = cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
        if (wasNotSent && cause.getMessage() == null) {
            what = "no connection";
        }
        if (cause instanceof SSLException) {
            what = "TLS: " + what;
        } else if (!(cause instanceof IOException)) {
            what = cause.toString();
        }
        return EtcdFailure.unanswered(!wasNotSent, uri.getAuthority() + ": " + what, cause);
    }

    private static JsonObject read(URI uri, HttpResponse<byte[]> response) {
        if (response.statusCode() == OK) {
            if (response.body().length == 0) {
                throw EtcdFailure.unanswered(true, uri.getAuthority() + ": the connection ended", null);
            }
            return JsonReader.read(response.body());
        }
        JsonObject error;
        try {
            error = JsonReader.read(response.body());
        } catch (JsonException noJson) {
            String what = uri.getAuthority() + " answers " + uri.getPath() + " with HTTP " + response.statusCode();
            if (response.statusCode() >= SERVER_ERROR) {
                throw EtcdFailure.unanswered(true, what, noJson);
            }
            throw EtcdFailure.refused(
                    EtcdFailure.UNKNOWN, false, what + ": no etcd of version 3.4 or later with its gateway");
        }
        String message = error.text("message").isEmpty() ? error.text("error") : error.text("message");
        int code = (int) error.number("code");
        if (code == UNAVAILABLE || code == DEADLINE_EXCEEDED) {
            throw EtcdFailure.unanswered(true, uri.getAuthority() + ": " + message, null);
        }
        boolean lacksUser = message.endsWith("user name is empty");
        throw EtcdFailure.refused(
                code, false, lacksUser ? message + "; this etcd asks for user and password_file" : message);
    }

    /**
     * Waits until {@code untilNs} at most, in steps, so that {@link #close} is noticed. Goes on after an interrupt and
     * keeps the flag.
     */
    private <T> T await(CompletableFuture<T> coming, long untilNs) throws ExecutionException, TimeoutException {
        boolean interrupted = false;
        try {
            while (true) {
                long leftNs = untilNs - System.nanoTime();
                if (leftNs <= 0 || isClosed) {
                    throw new TimeoutException();
                }
                try {
                    return coming.get(Math.min(leftNs, STEP_NS), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (TimeoutException step) {
                    // Looked at again above.
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static void pause(long pauseNs) {
        boolean interrupted = Thread.interrupted();
        long untilNs = System.nanoTime() + pauseNs;
        for (long leftNs = pauseNs; leftNs > 0; leftNs = untilNs - System.nanoTime()) {
            LockSupport.parkNanos(leftNs);
            interrupted |= Thread.interrupted();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
