package org.ulfmj.transport.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ulfmj.protocol.HmacSha256;
import org.ulfmj.protocol.WireWriter;

class HandshakeTest {
    private static final byte[] WHO = {1, 2, 3};
    private static final byte[] WELCOME = {4, 5};

    private final JobSecret secret = JobSecret.random();
    private final Handshake here = new Handshake(secret, Purpose.LINK, 42);
    private final AcceptorHandshake acceptor = here.accept(nonce(1));
    private final DialerHandshake dialer = here.dial(nonce(2));

    @Test
    void shouldCarryBothBodiesWhenBothKnowTheSecret() throws HandshakeException {
        byte[] hello = dialer.hello(acceptor.challenge(), WHO);
        assertThat(acceptor.read(hello)).isEqualTo(WHO);

        HandshakeAnswer answer = dialer.read(acceptor.accept(WELCOME));

        assertThat(answer.isAccepted()).isTrue();
        assertThat(answer.body()).isEqualTo(WELCOME);
    }

    @Test
    void shouldCarryARefusalThatIsProven() throws HandshakeException {
        acceptor.read(dialer.hello(acceptor.challenge(), WHO));

        HandshakeAnswer answer = dialer.read(acceptor.refuse(WELCOME));

        assertThat(answer.verdict()).isEqualTo(ProofVerdict.REFUSED);
        assertThat(answer.body()).isEqualTo(WELCOME);
    }

    @Test
    void shouldRejectADialerWithAnotherSecret() throws HandshakeException {
        DialerHandshake stranger = new Handshake(JobSecret.random(), Purpose.LINK, 42).dial(nonce(2));
        byte[] hello = stranger.hello(acceptor.challenge(), WHO);

        assertThatThrownBy(() -> acceptor.read(hello))
                .isInstanceOf(HandshakeException.class)
                .hasMessageContaining("dialer does not know this job's secret");
    }

    @Test
    void shouldRejectAnAcceptorWithAnotherSecret() throws HandshakeException {
        AcceptorHandshake stranger = new Handshake(JobSecret.random(), Purpose.LINK, 42).accept(nonce(1));
        dialer.hello(stranger.challenge(), WHO);
        AcceptorHandshake other = here.accept(nonce(3));
        other.read(here.dial(nonce(2)).hello(other.challenge(), WHO));

        // A true proof, but for another challenge: a replayed answer.
        assertThatThrownBy(() -> dialer.read(other.accept(WELCOME)))
                .isInstanceOf(HandshakeException.class)
                .hasMessageContaining("acceptor does not know this job's secret");
    }

    @Test
    void shouldRejectAHelloThatIsPlayedAgain() throws HandshakeException {
        byte[] hello = dialer.hello(acceptor.challenge(), WHO);
        AcceptorHandshake later = here.accept(nonce(9));
        later.challenge();

        assertThatThrownBy(() -> later.read(hello)).isInstanceOf(HandshakeException.class);
    }

    @Test
    void shouldRejectAProofGivenForAnotherPurpose() throws HandshakeException {
        DialerHandshake lifeline = new Handshake(secret, Purpose.LIFELINE, 42).dial(nonce(2));
        byte[] hello = lifeline.hello(acceptor.challenge(), WHO);

        assertThatThrownBy(() -> acceptor.read(hello)).isInstanceOf(HandshakeException.class);
    }

    @Test
    void shouldRejectEveryMessageWithOneBitChanged() throws HandshakeException {
        byte[] hello = dialer.hello(acceptor.challenge(), WHO);
        for (int bit = 0; bit < hello.length * 8; bit++) {
            byte[] changed = flip(hello, bit);
            AcceptorHandshake fresh = here.accept(nonce(1));
            assertThatThrownBy(() -> fresh.read(changed)).isInstanceOf(HandshakeException.class);
        }
        acceptor.read(hello);
        byte[] answer = acceptor.accept(WELCOME);
        for (int bit = 0; bit < answer.length * 8; bit++) {
            byte[] changed = flip(answer, bit);
            assertThatThrownBy(() -> dialer.read(changed)).isInstanceOf(HandshakeException.class);
        }
    }

    @Test
    void shouldRejectGarbageOfAnyLength() {
        Random random = new Random(11);
        for (int length = 0; length < 300; length++) {
            byte[] garbage = new byte[length];
            random.nextBytes(garbage);
            if (length > 0) {
                garbage[0] = Handshake.HELLO;
            }
            assertThatThrownBy(() -> here.accept(nonce(1)).read(garbage)).isInstanceOf(HandshakeException.class);
        }
    }

    /** Random bytes lead to a HandshakeException and to no other exception, at an acceptor and at a dialer. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void shouldAnswerAnythingWithItsOwnException(long seed) throws HandshakeException {
        SplittableRandom random = new SplittableRandom(seed);
        for (int run = 0; run < 5_000; run++) {
            byte[] said = new byte[random.nextInt(Handshake.MAX_MESSAGE_BYTES + 10)];
            random.nextBytes(said);
            if (said.length > 0) {
                said[0] = (byte) random.nextInt(4);
            }
            if (said.length > 35) {
                // Puts a length there that may fit as that of the body.
                ByteBuffer.wrap(said).order(ByteOrder.LITTLE_ENDIAN).putInt(30, random.nextInt(said.length));
            }
            assertThatThrownBy(() -> here.accept(nonce(1)).read(said)).isInstanceOf(HandshakeException.class);
            DialerHandshake dialing = here.dial(nonce(2));
            dialing.hello(here.accept(nonce(1)).challenge(), WHO);
            assertThatThrownBy(() -> dialing.read(said)).isInstanceOf(HandshakeException.class);
            if (said.length != 1 + Handshake.NONCE_BYTES) {
                assertThatThrownBy(() -> here.dial(nonce(2)).hello(said, WHO)).isInstanceOf(HandshakeException.class);
            }
        }
    }

    /** Reflection: a message that one end has sent proves nothing when it is sent back to that end. */
    @Test
    void shouldRejectItsOwnWordsSaidBack() throws HandshakeException {
        AcceptorHandshake other = here.accept(nonce(1));
        assertThatThrownBy(() -> other.read(other.challenge())).isInstanceOf(HandshakeException.class);

        byte[] hello = dialer.hello(acceptor.challenge(), WHO);
        assertThatThrownBy(() -> dialer.read(hello)).isInstanceOf(HandshakeException.class);

        // A dial that is led back to the own acceptor, with equal nonces at both ends: the proofs of dialer and
        // acceptor still differ, by their labels.
        AcceptorHandshake mirror = here.accept(nonce(2));
        DialerHandshake mirrored = here.dial(nonce(2));
        byte[] mirroredHello = mirrored.hello(mirror.challenge(), WHO);
        byte[] asAnswer = mirroredHello.clone();
        asAnswer[0] = Handshake.ANSWER;
        assertThatThrownBy(() -> mirrored.read(asAnswer)).isInstanceOf(HandshakeException.class);
    }

    @Test
    void shouldNameBothVersionsWhenTheyDiffer() throws HandshakeException {
        DialerHandshake newer = new Handshake(secret, Purpose.LINK, 42, Handshake.PROTOCOL_VERSION + 1).dial(nonce(2));
        assertThat(acceptor.read(newer.hello(acceptor.challenge(), WHO))).isNull();

        HandshakeAnswer answer = newer.read(acceptor.mismatch());

        assertThat(answer.verdict()).isEqualTo(ProofVerdict.OTHER_VERSION);
        assertThat(answer.text())
                .contains(
                        "version " + Handshake.PROTOCOL_VERSION,
                        "version " + (Handshake.PROTOCOL_VERSION + 1),
                        "same ulfm.jar");
    }

    /** The HELLO of version 2 says nothing of records, so its layout is another one. */
    @Test
    void shouldTellADialerOfVersionTwoThatItIsOlder() throws HandshakeException {
        acceptor.challenge();
        WireWriter older = Handshake.write(Handshake.HELLO)
                .putInt(2)
                .putLong(42)
                .putBytes(nonce(2))
                .putBlob(WHO);
        byte[] hello =
                older.putBytes(here.dialerProof(nonce(1), older.toByteArray())).toByteArray();
        assertThat(acceptor.read(hello)).isNull();

        dialer.hello(here.accept(nonce(1)).challenge(), WHO);
        HandshakeAnswer answer = dialer.read(acceptor.mismatch());

        assertThat(answer.verdict()).isEqualTo(ProofVerdict.OTHER_VERSION);
        assertThat(answer.text())
                .isEqualTo("protocol version " + Handshake.PROTOCOL_VERSION + " was called by a process with version 2:"
                        + " all processes of a job must use the same ulfm.jar");
    }

    @Test
    void shouldNameBothHashesWhenOptionsDiffer() throws HandshakeException {
        DialerHandshake other = new Handshake(secret, Purpose.LINK, 43).dial(nonce(2));
        assertThat(acceptor.read(other.hello(acceptor.challenge(), WHO))).isNull();

        HandshakeAnswer answer = other.read(acceptor.mismatch());

        assertThat(answer.verdict()).isEqualTo(ProofVerdict.OTHER_OPTIONS);
        assertThat(answer.text()).contains("2a", "2b", "same ulfm.* options");
    }

    @Test
    void shouldGiveBothEndsTheSameKeysWhenTheDialerWantsRecords() throws HandshakeException {
        RecordKeys ofDialer = shakeHands(dialer, acceptor, true);
        RecordKeys ofAcceptor = acceptor.recordKeys();

        assertThat(ofDialer.sending()).hasSize(16).isEqualTo(ofAcceptor.receiving());
        assertThat(ofDialer.receiving()).hasSize(16).isEqualTo(ofAcceptor.sending());
        assertThat(ofDialer.sending()).isNotEqualTo(ofDialer.receiving());
    }

    private static RecordKeys shakeHands(DialerHandshake dialer, AcceptorHandshake acceptor, boolean demandsRecords)
            throws HandshakeException {
        acceptor.read(dialer.hello(acceptor.challenge(), WHO, true), demandsRecords);
        dialer.read(acceptor.accept(WELCOME));
        return dialer.recordKeys();
    }

    /** Connections with another nonce of either end, another purpose or another job secret get other keys. */
    @Test
    void shouldGiveOtherKeysToEachOtherConnection() throws HandshakeException {
        Handshake otherPurpose = new Handshake(secret, Purpose.CONTROL, 42);
        Handshake otherJob = new Handshake(JobSecret.random(), Purpose.LINK, 42);
        List<RecordKeys> all = List.of(
                shakeHands(dialer, acceptor, false),
                shakeHands(here.dial(nonce(3)), here.accept(nonce(1)), false),
                shakeHands(here.dial(nonce(2)), here.accept(nonce(3)), false),
                shakeHands(otherPurpose.dial(nonce(2)), otherPurpose.accept(nonce(1)), true),
                shakeHands(otherJob.dial(nonce(2)), otherJob.accept(nonce(1)), true));
        Set<String> keys = new TreeSet<>();
        for (RecordKeys each : all) {
            keys.add(Arrays.toString(each.sending()));
            keys.add(Arrays.toString(each.receiving()));
        }
        assertThat(keys).hasSize(2 * all.size());
    }

    @Test
    void shouldGiveNoKeysWithoutRecordsOrAcceptance() throws HandshakeException {
        acceptor.read(dialer.hello(acceptor.challenge(), WHO));
        dialer.read(acceptor.accept(WELCOME));
        assertThat(dialer.recordKeys()).isNull();
        assertThat(acceptor.recordKeys()).isNull();

        AcceptorHandshake refusing = here.accept(nonce(1));
        DialerHandshake refused = here.dial(nonce(2));
        refusing.read(refused.hello(refusing.challenge(), WHO, true));
        assertThat(refusing.recordKeys()).isNull();
        refused.read(refusing.refuse(WELCOME));
        assertThat(refused.recordKeys()).isNull();
        assertThat(refusing.recordKeys()).isNull();
    }

    @Test
    void shouldRefuseADialerWithoutRecordsWhereTheyAreDemanded() throws HandshakeException {
        assertThat(acceptor.read(dialer.hello(acceptor.challenge(), WHO), true)).isNull();

        HandshakeAnswer answer = dialer.read(acceptor.mismatch());

        assertThat(answer.verdict()).isEqualTo(ProofVerdict.NO_RECORDS);
        assertThat(answer.text())
                .isEqualTo("this connection must carry encrypted records, and its caller offers none. To its caller it"
                        + " looks like one within a host, so a proxy may stand between the two: ulfm.net.protect=aead"
                        + " encrypts every connection");
        assertThat(dialer.recordKeys()).isNull();
    }

    @Test
    void shouldRejectRecordsOfAKindThatItDoesNotKnow() throws HandshakeException {
        byte[] hello = dialer.hello(acceptor.challenge(), WHO);
        byte[] covered = Arrays.copyOf(hello, hello.length - HmacSha256.LENGTH_BYTES);
        covered[1 + 4 + 8 + Handshake.NONCE_BYTES] = 2;
        byte[] proof = here.dialerProof(nonce(1), covered);
        byte[] proven = Arrays.copyOf(covered, hello.length);
        System.arraycopy(proof, 0, proven, covered.length, proof.length);

        assertThatThrownBy(() -> acceptor.read(proven))
                .isInstanceOf(HandshakeException.class)
                .hasMessage("records of an unknown kind, 2");
    }

    /** An acceptor refuses a HELLO in which the wish for encrypted records was changed on its way. */
    @Test
    void shouldNoticeWhenTheWishForRecordsIsChangedOnItsWay() throws HandshakeException {
        for (boolean wants : new boolean[] {true, false}) {
            byte[] hello = here.dial(nonce(2)).hello(acceptor.challenge(), WHO, wants);
            hello[1 + 4 + 8 + Handshake.NONCE_BYTES] ^= 1;
            assertThatThrownBy(() -> here.accept(nonce(1)).read(hello))
                    .isInstanceOf(HandshakeException.class)
                    .hasMessageContaining("does not know this job's secret");
        }
    }

    private static byte[] nonce(int seed) {
        byte[] nonce = new byte[Handshake.NONCE_BYTES];
        Arrays.fill(nonce, (byte) seed);
        return nonce;
    }

    private static byte[] flip(byte[] message, int bit) {
        byte[] changed = message.clone();
        changed[bit / 8] ^= (byte) (1 << bit % 8);
        return changed;
    }
}
