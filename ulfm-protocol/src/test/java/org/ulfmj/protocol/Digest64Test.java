package org.ulfmj.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class Digest64Test {
    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** RFC 4231 case 2 begins 5bdcc146bf60754e. */
    @Test
    void shouldBeTheFirstEightBytesLittleEndian() {
        Digest64 digest = new Digest64(ascii("Jefe"));
        assertThat(digest.of(new WireWriter(100).putBytes(ascii("what do ya want for nothing?"))))
                .isEqualTo(0x4e7560bf46c1dc5bL);
    }

    @Test
    void shouldDependOnSecretAndFields() {
        WireWriter fields = new WireWriter(100).putText("world").putLong(0);
        long id = new Digest64(ascii("a")).of(fields);
        assertThat(new Digest64(ascii("a")).of(fields)).isEqualTo(id);
        assertThat(new Digest64(ascii("b")).of(fields)).isNotEqualTo(id);
        assertThat(new Digest64(ascii("a")).of(fields.putByte(0))).isNotEqualTo(id);
    }
}
