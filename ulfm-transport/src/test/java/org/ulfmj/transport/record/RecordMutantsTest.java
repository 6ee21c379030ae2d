package org.ulfmj.transport.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.ulfmj.sim.mutant.Mutant;
import org.ulfmj.sim.mutant.MutantLoader;
import org.ulfmj.sim.mutant.NamedTest;

/** Each of the listed rules of encrypted connections is needed: without it, a test fails. */
@Tag("release")
class RecordMutantsTest {
    private static final String TRANSPORT = "org.ulfmj.transport.";
    private static final String READER = TRANSPORT + "record.RecordReader";
    private static final String CHANNEL = TRANSPORT + "record.RecordChannelTest";
    private static final String HANDSHAKE = TRANSPORT + "auth.HandshakeTest";
    private static final String LINKS = TRANSPORT + "tcp.EncryptedLinksTest";

    private static Arguments rule(
            String says, String className, String original, String replacement, String suite, String test) {
        return Arguments.of(Mutant.of(says, className, original, replacement), new NamedTest(suite, test));
    }

    static Stream<Arguments> rules() {
        return Stream.of(
                rule(
                        "the number of a record is its nonce",
                        TRANSPORT + "record.RecordCipher",
                        "nonceView.putLong(COUNT_OFFSET, count++);",
                        "count++; nonceView.putInt(0, new java.security.SecureRandom().nextInt());",
                        CHANNEL,
                        "shouldBeCountedAes128Gcm"),
                rule(
                        "a record that fails its check ends the stream",
                        READER,
                        "if (failure != null || end - start",
                        "if (end - start",
                        CHANNEL,
                        "shouldNeverGoOnAfterAWrongRecord"),
                rule(
                        "a length is checked",
                        READER,
                        "if (length < RecordFormat.TAG_BYTES || length > RecordFormat.MAX_SEALED_BYTES) {",
                        "if (false) {",
                        CHANNEL,
                        "shouldEndAtEachChangedBit"),
                rule(
                        "what did not fit is told of",
                        READER,
                        "return openedFrom < openedTo || hasWhole() || failure != null;",
                        "return openedFrom < openedTo;",
                        CHANNEL,
                        "shouldSayThatThereIsMoreThanTheReaderHadRoomFor"),
                rule(
                        "a direction has a key of its own",
                        TRANSPORT + "auth.Handshake",
                        "\"ulfm records of the acceptor\"",
                        "\"ulfm records of the dialer\"",
                        HANDSHAKE,
                        "shouldGiveBothEndsTheSameKeysWhenTheDialerWantsRecords"),
                rule(
                        "a dialer without records is refused",
                        TRANSPORT + "auth.AcceptorHandshake",
                        "if (records == 0 && demandsRecords) {",
                        "if (false) {",
                        HANDSHAKE,
                        "shouldRefuseADialerWithoutRecordsWhereTheyAreDemanded"),
                rule(
                        "a connection whose key has served is replaced",
                        TRANSPORT + "tcp.TcpConnection",
                        "if (records != null && records.isUsedUp()) {",
                        "if (false) {",
                        LINKS,
                        "shouldChangeItsKeysWithItsConnectionAfterSoManyBytes"),
                rule(
                        "a connection that no other would follow is kept",
                        TRANSPORT + "tcp.TcpConnection",
                        "if (!isRetiring && link.isResumed()) {",
                        "if (!isRetiring) {",
                        LINKS,
                        "shouldKeepAConnectionThatNoOtherWouldFollow"));
    }

    @ParameterizedTest(name = "without: {0}")
    @MethodSource("rules")
    void shouldFailWithoutARule(Mutant mutant, NamedTest test) {
        MutantLoader world = new MutantLoader(mutant);
        assertThat(catchThrowable(() -> test.run(world))).as(test.toString()).isNotNull();
    }

    /**
     * Runs the same tests without a mutant, where they pass: so a test that fails with a mutant fails because of it.
     */
    @Test
    void shouldPassWithAllRules() {
        MutantLoader world = new MutantLoader(List.of());
        rules().map(rule -> (NamedTest) rule.get()[1]).distinct().forEach(test -> assertThatCode(() -> test.run(world))
                .doesNotThrowAnyException());
    }
}
