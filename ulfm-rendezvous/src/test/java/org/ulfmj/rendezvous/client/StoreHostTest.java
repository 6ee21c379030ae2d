package org.ulfmj.rendezvous.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.ulfmj.rendezvous.message.RendezvousMessage;
import org.ulfmj.rendezvous.server.StoreHost;
import org.ulfmj.rendezvous.store.StoreRequest;
import org.ulfmj.transport.auth.JobSecret;
import org.ulfmj.transport.record.Protection;

class StoreHostTest {
    private static final long NONCE = 77;
    private static final long STEP_NS = 1_000_000;
    private static final long LONG_NS = 60_000_000_000L;

    private final JobSecret secret = JobSecret.random();
    private StoreHost host;

    private void host(long leaseNs) throws IOException {
        host = new StoreHost("127.0.0.1", 0, "job", secret, leaseNs);
    }

    @AfterEach
    void close() {
        host.close();
    }

    private StoreSocket dial(long session) throws IOException {
        StoreSocket socket =
                new StoreSocket(new InetSocketAddress("127.0.0.1", host.port()), "job", NONCE, secret, session, false);
        long untilNs = System.nanoTime() + LONG_NS;
        while (!socket.advance()) {
            assertThat(System.nanoTime()).isLessThan(untilNs);
            LockSupport.parkNanos(STEP_NS);
        }
        return socket;
    }

    @Test
    void shouldGiveAProcessItsSessionAgain() throws Exception {
        host(LONG_NS);
        StoreSocket first = dial(0);
        assertThat(first.session()).isPositive();
        first.close();
        StoreSocket second = dial(first.session());
        assertThat(second.session()).isEqualTo(first.session());
        assertThat(second.boot()).isEqualTo(first.boot());
        second.close();
    }

    @Test
    void shouldEndTheSessionOfAProcessThatStaysAway() throws Exception {
        host(100_000_000);
        StoreSocket first = dial(0);
        first.ask(first.session(), 1, List.of(), new StoreRequest.Get("never", true));
        first.close();
        long untilNs = System.nanoTime() + LONG_NS;
        while (true) {
            LockSupport.parkNanos(200_000_000);
            StoreSocket again = dial(first.session());
            again.close();
            if (again.session() == 0) {
                return;
            }
            assertThat(System.nanoTime()).isLessThan(untilNs);
        }
    }

    @Test
    void shouldCutOffAProcessThatSaysWhatOnlyRanksSay() throws Exception {
        host(LONG_NS);
        ClientConnection rank = new ClientConnection(
                new Caller(new InetSocketAddress("127.0.0.1", host.port()), "job", NONCE, secret, 0, Protection.AUTO),
                0);
        while (!rank.advance()) {
            LockSupport.parkNanos(STEP_NS);
        }
        rank.write(new RendezvousMessage.Here(1));
        assertThatThrownBy(() -> {
                    long untilNs = System.nanoTime() + LONG_NS;
                    while (System.nanoTime() - untilNs < 0) {
                        rank.read();
                        LockSupport.parkNanos(STEP_NS);
                    }
                })
                .isInstanceOf(IOException.class);
        rank.close();
        dial(0).close();
    }

    @Test
    void shouldSayWhichAddressIsTaken() throws Exception {
        host(LONG_NS);
        assertThatThrownBy(() -> new StoreHost("127.0.0.1", host.port(), "job", secret))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("no store at 127.0.0.1:" + host.port() + ": ");
    }
}
