package org.ulfmj.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;

class Sha256Test {
    private static final int LONGEST_BYTES = 260;

    @Test
    void shouldGiveTheExampleOfTheStandard() {
        assertThat(HexFormat.of().formatHex(Sha256.of("abc".getBytes(StandardCharsets.US_ASCII))))
                .isEqualTo("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }

    @Test
    void shouldGiveWhatThePlatformGivesForEveryLength() throws Exception {
        MessageDigest platform = MessageDigest.getInstance("SHA-256");
        Random random = new Random(1);
        for (int length = 0; length <= LONGEST_BYTES; length++) {
            byte[] message = new byte[length];
            random.nextBytes(message);
            assertThat(Sha256.of(message)).as("length %d", length).isEqualTo(platform.digest(message));
        }
    }

    @Test
    void shouldGiveTheSameHoweverTheMessageIsCutAndBeginAnewAfterwards() {
        byte[] message = new byte[LONGEST_BYTES];
        new Random(2).nextBytes(message);
        Sha256 hash = new Sha256();
        for (int step = 1; step <= 130; step++) {
            for (int at = 0; at < message.length; at += step) {
                byte[] part = new byte[Math.min(step, message.length - at)];
                System.arraycopy(message, at, part, 0, part.length);
                hash.update(part);
            }
            assertThat(hash.digest()).as("in steps of %d", step).isEqualTo(Sha256.of(message));
        }
    }
}
