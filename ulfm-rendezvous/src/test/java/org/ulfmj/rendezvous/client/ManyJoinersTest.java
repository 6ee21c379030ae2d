package org.ulfmj.rendezvous.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.rendezvous.Members;
import org.ulfmj.rendezvous.RunSpec;
import org.ulfmj.rendezvous.message.RendezvousMessage;
import org.ulfmj.rendezvous.rounds.Joiner;
import org.ulfmj.rendezvous.rounds.WorldSize;
import org.ulfmj.transport.record.Protection;

/** Tests that many simulated processes, each with a separate socket, form one world on a server in this process. */
class ManyJoinersTest {
    private static final long MOST_NS = 60 * ServedJob.SECOND;

    private final ServedJob job = new ServedJob();

    @AfterEach
    void close() throws Exception {
        job.close();
    }

    @Test
    void shouldFormAWorldOfTheProcessesThatJoined() throws Exception {
        join(16, new WorldSize(8, 16, MOST_NS));
    }

    /**
     * The larger world has more processes than the server keeps unproven connections at a time; a connection that is
     * dropped for that is dialed again.
     */
    @Test
    @Tag("release")
    void shouldFormAWorldOf512ProcessesInAboutASecond() throws Exception {
        join(64, new WorldSize(64, 64, MOST_NS));
        long tookNs = join(512, new WorldSize(2, 512, MOST_NS));
        System.out.printf("512 joiners formed a world in %d ms%n", tookNs / 1_000_000);
        assertThat(tookNs).as("ns until all 512 know their world").isLessThan(30 * ServedJob.SECOND);
    }

    private long join(int size, WorldSize world) throws Exception {
        job.serve(new RunSpec("job-1", world, ServedJob.OPTIONS, MOST_NS, MOST_NS / 2));
        List<Joining> all = new ArrayList<>();
        long startNs = System.nanoTime();
        try (Selector selector = Selector.open()) {
            for (int i = 0; i < size; i++) {
                all.add(new Joining(i));
            }
            all.forEach(one -> one.goOn(selector));
            while (!all.stream().allMatch(Joining::isRunning)) {
                assertThat(System.nanoTime() - startNs).isLessThan(MOST_NS);
                selector.select();
                for (SelectionKey key : selector.selectedKeys()) {
                    ((Joining) key.attachment()).goOn(selector);
                }
                selector.selectedKeys().clear();
            }
        }
        long tookNs = System.nanoTime() - startNs;
        Set<ProcessId> slots = new LinkedHashSet<>();
        for (Joining one : all) {
            assertThat(one.session.table())
                    .isEqualTo(all.get(0).session.table())
                    .hasSize(size);
            slots.add(one.session.me().id());
            one.connection.close();
        }
        assertThat(slots).hasSize(size);
        assertThat(all.get(3).session.me().id())
                .as("local index 3 of the first host")
                .isEqualTo(ProcessId.of(3));
        return tookNs;
    }

    /** A process that joins. It dials again when the server drops its connection. */
    private final class Joining {
        private final Caller caller;
        private final JoinSession session;
        private ClientConnection connection;
        private boolean wasAccepted;

        Joining(int number) {
            long nonce = 1_000 - number;
            caller = new Caller(
                    new InetSocketAddress("127.0.0.1", job.server.port()),
                    "job-1",
                    nonce,
                    job.secret,
                    ServedJob.OPTIONS,
                    Protection.AUTO);
            session = JoinSession.withoutSlot(new Joiner(
                    number / 8,
                    number % 8,
                    Members.member(ProcessId.of(number), nonce, number).named(Joiner.NAMELESS)));
        }

        void goOn(Selector selector) {
            while (!goOnOnce(selector)) {
                // The server keeps a limited number of connections that have not proved themselves: it has dropped this
                // one.
                connection.close();
                connection = null;
            }
        }

        boolean isRunning() {
            return session.state() == JoinSession.State.RUNNING;
        }

        /** Returns false if the connection was dropped. */
        private boolean goOnOnce(Selector selector) {
            try {
                if (connection == null) {
                    connection = new ClientConnection(caller, session.storeSession());
                    wasAccepted = false;
                }
                if (connection.advance()) {
                    if (!wasAccepted) {
                        wasAccepted = true;
                        session.onWelcome(connection.boot(), connection.givenSession(), null);
                        session.onConnected(this::say);
                    }
                    for (RendezvousMessage each = connection.read(); each != null; each = connection.read()) {
                        session.onMessage(each, this::say, job.news);
                    }
                }
                connection.channel().register(selector, connection.operations(), this);
                return true;
            } catch (IOException dropped) {
                return false;
            }
        }

        private void say(RendezvousMessage message) {
            try {
                connection.write(message);
            } catch (IOException lost) {
                throw new IllegalStateException(lost);
            }
        }
    }
}
