package org.ulfmj.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** The test cases of RFC 4231, by their numbers, and a test of parts and of reuse. */
class HmacSha256Test {
    @Test
    void shouldGiveCase1() {
        assertThat(code(repeat(0x0b, 20), ascii("Hi There")))
                .isEqualTo("b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
    }

    @Test
    void shouldGiveCase2WithAShortKey() {
        assertThat(code(ascii("Jefe"), ascii("what do ya want for nothing?")))
                .isEqualTo("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
    }

    @Test
    void shouldGiveCase3() {
        assertThat(code(repeat(0xaa, 20), repeat(0xdd, 50)))
                .isEqualTo("773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe");
    }

    @Test
    void shouldGiveCase4() {
        byte[] key = new byte[25];
        for (int i = 0; i < key.length; i++) {
            key[i] = (byte) (i + 1);
        }
        assertThat(code(key, repeat(0xcd, 50)))
                .isEqualTo("82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b");
    }

    @Test
    void shouldGiveTheFirst16BytesOfCase5() {
        assertThat(code(repeat(0x0c, 20), ascii("Test With Truncation")))
                .startsWith("a3b6167473100ee06e0c796c2955552b");
    }

    @Test
    void shouldGiveCase6WithAKeyLongerThanABlock() {
        assertThat(code(repeat(0xaa, 131), ascii("Test Using Larger Than Block-Size Key - Hash Key First")))
                .isEqualTo("60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
    }

    @Test
    void shouldGiveCase7WithKeyAndDataLongerThanABlock() {
        String data = "This is a test using a larger than block-size key and a larger than block-size data."
                + " The key needs to be hashed before being used by the HMAC algorithm.";
        assertThat(code(repeat(0xaa, 131), ascii(data)))
                .isEqualTo("9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2");
    }

    @Test
    void shouldHashPartsAsOneAndBeReusable() {
        HmacSha256 hmac = new HmacSha256(ascii("Jefe"));
        byte[] whole = hmac.of(ascii("what do ya want for nothing?"));
        assertThat(hmac.of(ascii("what do ya "), new byte[0], ascii("want for nothing?")))
                .isEqualTo(whole)
                .hasSize(HmacSha256.LENGTH_BYTES);
    }

    private static String code(byte[] key, byte[] data) {
        return HexFormat.of().formatHex(new HmacSha256(key).of(data));
    }

    private static byte[] repeat(int value, int count) {
        byte[] bytes = new byte[count];
        Arrays.fill(bytes, (byte) value);
        return bytes;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
