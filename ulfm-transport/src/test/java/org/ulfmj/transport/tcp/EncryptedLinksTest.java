package org.ulfmj.transport.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.ulfmj.transport.auth.HandshakeAnswer;
import org.ulfmj.transport.auth.HandshakeException;
import org.ulfmj.transport.auth.ProofVerdict;
import org.ulfmj.transport.record.Protection;
import org.ulfmj.transport.record.RecordBuffers;

/** Links whose connections carry encrypted records, over a path that an attacker controls. */
@Timeout(120)
class EncryptedLinksTest {
    private static final byte[] KNOWN =
            "what no process between the two may read. ".repeat(30).getBytes(StandardCharsets.US_ASCII);
    /**
     * The offset of the byte in a HELLO, counted with the length in front of it, that says whether the dialer wants
     * records.
     */
    private static final int RECORDS_OFFSET = 2 + 1 + 4 + 8 + 16;

    @ParameterizedTest
    @CsvSource({"AEAD, AEAD, true", "AEAD, AUTO, true", "AUTO, AUTO, false", "NONE, NONE, false"})
    void shouldShowItsPayloadsOnlyWithoutRecords(Protection ofZero, Protection ofOne, boolean isHidden)
            throws IOException {
        try (RelayedPair pair = new RelayedPair(ofZero, ofOne)) {
            pair.send(0, 0, KNOWN);
            pair.pollUntil(() -> pair.received[1].frames.size() == 1);
            assertThat(pair.received[1].frames.get(0).payload()).isEqualTo(KNOWN);
            assertThat(pair.connections()).isEqualTo(1);
            String recorded = pair.relays[1].recorded.toString(StandardCharsets.ISO_8859_1);
            assertThat(recorded).hasSizeGreaterThan(KNOWN.length);
            if (isHidden) {
                assertThat(recorded).doesNotContain("what no process", "may read");
            } else {
                assertThat(recorded).contains(new String(KNOWN, StandardCharsets.US_ASCII));
            }
        }
    }

    @Test
    void shouldNeedOneConnectionForMuch() throws IOException {
        try (RelayedPair pair = new RelayedPair(Protection.AEAD, Protection.AEAD)) {
            // Two connections at most: both ranks dial at once, and one of the two is adopted.
            pair.exchange(200);
            assertThat(pair.isRight()).isTrue();
            assertThat(pair.connections()).isLessThanOrEqualTo(2);
        }
    }

    /** What an attacker on the path does to one record of a connection. It attacks three connections. */
    enum Attack {
        BIT_OF_LENGTH {
            @Override
            List<byte[]> on(byte[] record, byte[] before) {
                return List.of(flipped(record, 0));
            }
        },
        HIGH_BIT_OF_LENGTH {
            @Override
            List<byte[]> on(byte[] record, byte[] before) {
                return List.of(flipped(record, 3));
            }
        },
        FIRST_SEALED_BYTE {
            @Override
            List<byte[]> on(byte[] record, byte[] before) {
                return List.of(flipped(record, 4));
            }
        },
        MIDDLE {
            @Override
            List<byte[]> on(byte[] record, byte[] before) {
                return List.of(flipped(record, record.length / 2));
            }
        },
        TAG {
            @Override
            List<byte[]> on(byte[] record, byte[] before) {
                return List.of(flipped(record, record.length - 1));
            }
        },
        REPEATED {
            @Override
            List<byte[]> on(byte[] record, byte[] before) {
                return List.of(record, record);
            }
        },
        PLAYED_AGAIN {
            @Override
            List<byte[]> on(byte[] record, byte[] before) {
                return List.of(before);
            }
        },
        LEFT_OUT {
            @Override
            List<byte[]> on(byte[] record, byte[] before) {
                return List.of();
            }
        },
        CUT_SHORT {
            @Override
            List<byte[]> on(byte[] record, byte[] before) {
                return List.of(Arrays.copyOf(record, record.length - 1));
            }
        },
        MADE_UP {
            @Override
            List<byte[]> on(byte[] record, byte[] before) {
                byte[] other = record.clone();
                Arrays.fill(other, 4, other.length, (byte) 'x');
                return List.of(other, record);
            }
        };

        abstract List<byte[]> on(byte[] record, byte[] before);

        static byte[] flipped(byte[] record, int at) {
            byte[] changed = record.clone();
            changed[at] ^= 1;
            return changed;
        }
    }

    /** After each attack the link goes on with another connection, and every byte that arrives is right. */
    @ParameterizedTest
    @EnumSource(Attack.class)
    void shouldTakeNothingOfAnAttackersAndGoOn(Attack attack) throws IOException {
        try (RelayedPair pair = new RelayedPair(Protection.AEAD, Protection.AEAD)) {
            pair.exchange(5);
            Attacker attacker = new Attacker(attack);
            pair.meddle(attacker);
            for (int rounds = 0; attacker.attacks < 3; rounds++) {
                assertThat(rounds).as("rounds until three attacks").isLessThan(1_000);
                pair.exchange(5);
            }
            pair.exchange(20);
            assertThat(pair.isRight()).isTrue();
            assertThat(pair.connections()).as("a connection per attack").isGreaterThanOrEqualTo(4);
            assertThat(pair.received[0].frames).hasSameSizeAs(pair.received[1].frames);
        }
    }

    private static final class Attacker implements Relay.Meddler {
        private static final int EACH = 7;
        private final Attack attack;
        private byte[] before = {};
        private int seen;
        private int attacks;
        private int last = -1;

        Attacker(Attack attack) {
            this.attack = attack;
        }

        @Override
        public List<byte[]> pass(int connection, boolean isOfDialer, int piece, boolean isHandshake, byte[] bytes) {
            if (isHandshake || !isOfDialer) {
                return List.of(bytes);
            }
            byte[] previous = before;
            before = bytes;
            if (attacks == 3 || connection == last || ++seen % EACH != 0) {
                return List.of(bytes);
            }
            last = connection;
            attacks++;
            return attack.on(bytes, previous);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldTakeNoConnectionWhoseWishForRecordsWasChanged(boolean wantsRecords) throws IOException {
        Protection protection = wantsRecords ? Protection.AEAD : Protection.AUTO;
        try (RelayedPair pair = new RelayedPair(protection, protection)) {
            pair.meddle((connection, isOfDialer, piece, isHandshake, bytes) ->
                    List.of(isOfDialer && isHandshake ? Attack.flipped(bytes, RECORDS_OFFSET) : bytes));
            pair.send(0, 0, RelayedPair.payload(0));
            pair.pollUntil(() -> pair.connections() >= 4);
            assertThat(pair.received[1].frames).isEmpty();
            pair.meddle(Relay.HONEST);
            pair.pollUntil(() -> pair.received[1].frames.size() == 1);
            assertThat(pair.isRight()).isTrue();
        }
    }

    @Test
    void shouldRefuseAProvenCallerWithoutRecords() throws IOException, HandshakeException {
        try (RelayedPair pair = new RelayedPair(Protection.AEAD, Protection.AEAD);
                RawPeer caller = new RawPeer(pair.fabrics[0].port())) {
            HandshakeAnswer answer = caller.shakeHands(
                    pair.secret, TcpWorld.OPTIONS_HASH, TcpWorld.identity(1), TcpWorld.identity(0), pair::poll);
            assertThat(answer.verdict()).isEqualTo(ProofVerdict.NO_RECORDS);
            assertThat(answer.text()).startsWith("this connection must carry encrypted records");
            assertThat(TcpWorld.isConnected(
                            pair.fabrics[0], TcpWorld.identity(1).id()))
                    .isFalse();
            pair.exchange(3);
            assertThat(pair.isRight()).isTrue();
        }
    }

    /**
     * Rank 1 demands records and rank 0, to which the connection looks like one within its host, does not, as behind a
     * tunnel.
     */
    @Test
    void shouldOfferRecordsFromTheSecondDialOnToAPeerThatDemandsThem() throws IOException {
        List<String> told = new CopyOnWriteArrayList<>();
        Logger logger = Logger.getLogger("org.ulfmj.transport");
        Handler handler = listener(told);
        logger.addHandler(handler);
        int[] plain = {0};
        try (RelayedPair pair = new RelayedPair(Protection.AUTO, Protection.AEAD)) {
            pair.meddle((connection, isOfDialer, piece, isHandshake, bytes) -> {
                plain[0] += isOfDialer && isHandshake && bytes[RECORDS_OFFSET] == 0 ? 1 : 0;
                return List.of(bytes);
            });
            pair.send(0, 0, RelayedPair.payload(0));
            pair.pollUntil(() -> pair.received[1].frames.size() == 1);
            int plainBefore = plain[0];
            assertThat(plainBefore).as("dials without records").isPositive();
            for (int i = 1; i < 4; i++) {
                pair.fabrics[0].resetConnections();
                pair.send(0, i, RelayedPair.payload(i));
                int all = i + 1;
                pair.pollUntil(() -> pair.received[1].frames.size() == all);
            }
            pair.pollUntil(() -> told.stream().anyMatch(EncryptedLinksTest::isOfCaller));
            assertThat(pair.isRight()).isTrue();
            assertThat(plain[0]).as("dials without records").isEqualTo(plainBefore);
        } finally {
            logger.removeHandler(handler);
        }
        assertThat(told)
                .filteredOn(EncryptedLinksTest::isOfCaller)
                .singleElement()
                .asString()
                .startsWith("rank 1 at /127.0.0.1:")
                .contains("sees a caller from another host", "encrypted from now on");
    }

    private static boolean isOfCaller(String line) {
        return line.contains("sees a caller");
    }

    private static Handler listener(List<String> told) {
        return new Handler() {
            @Override
            public void publish(LogRecord line) {
                told.add(line.getMessage());
            }

            @Override
            public void flush() {
                // Nothing is kept back.
            }

            @Override
            public void close() {
                // Nothing is open.
            }
        };
    }

    /**
     * The memory of a connection's records is used again for the next connection, as a path may cut connections again
     * and again.
     */
    @Test
    void shouldUseTheMemoryOfAConnectionForTheNextOne() throws IOException {
        try (RelayedPair pair = new RelayedPair(Protection.AEAD, Protection.AEAD)) {
            pair.exchange(20);
            TcpLink link = pair.fabrics[0].linkTo(TcpWorld.identity(1).id());
            pair.pollUntil(() -> link.session().adopted() != null);
            RecordBuffers buffers = link.session().adopted().recordBuffers();
            for (int i = 1; i < 5; i++) {
                TcpConnection before = link.session().adopted();
                pair.fabrics[0].resetConnections();
                pair.exchange(20);
                pair.pollUntil(() -> link.session().adopted() != null);
                assertThat(link.session().adopted()).isNotSameAs(before);
                assertThat(link.session().adopted().recordBuffers()).isSameAs(buffers);
            }
            assertThat(pair.isRight()).isTrue();
        }
    }

    @Test
    void shouldChangeItsKeysWithItsConnectionAfterSoManyBytes() throws IOException {
        try (RelayedPair pair = new RelayedPair(Protection.AEAD, Protection.AEAD)) {
            int limit = 300_000;
            for (TcpFabric fabric : pair.fabrics) {
                fabric.useRecords(new RecordUse(Protection.AEAD, limit));
            }
            int bytes = pair.exchange(300);
            assertThat(pair.isRight()).isTrue();
            assertThat(pair.connections()).isGreaterThan(3);
            assertThat(bytes).isGreaterThan(10 * limit);
            for (int slot = 0; slot < 2; slot++) {
                assertThat(pair.received[slot].events).isEmpty();
            }
        }
    }

    /**
     * A connection whose keys are used up is kept if the link is not resumed, because the link would be lost with it.
     */
    @Test
    void shouldKeepAConnectionThatNoOtherWouldFollow() throws IOException {
        try (RelayedPair pair = new RelayedPair(Protection.AEAD, Protection.AEAD, false)) {
            for (TcpFabric fabric : pair.fabrics) {
                fabric.useRecords(new RecordUse(Protection.AEAD, 1_000));
            }
            for (int i = 0; i < 20; i++) {
                pair.send(0, i, RelayedPair.payload(i));
            }
            pair.pollUntil(() -> pair.received[1].frames.size() == 20);
            assertThat(pair.isRight()).isTrue();
            assertThat(pair.connections()).isEqualTo(1);
            assertThat(pair.received[0].events).isEmpty();
        }
    }
}
