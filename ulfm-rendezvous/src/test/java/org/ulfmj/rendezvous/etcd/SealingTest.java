package org.ulfmj.rendezvous.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.ulfmj.rendezvous.embed.RendezvousFailure;
import org.ulfmj.transport.auth.JobSecret;

class SealingTest {
    private static final byte[] KEY = "/ulfm/j/kv/a".getBytes(StandardCharsets.UTF_8);
    private static final byte[] VALUE = "a value that has a length".getBytes(StandardCharsets.UTF_8);

    private final JobSecret secret = JobSecret.random();
    private final Sealing sealing = new Sealing(secret, "j");

    private static void assertCorrupt(Sealing sealing, byte[] key, byte[] stored, String what) {
        assertThatThrownBy(() -> sealing.open(key, stored))
                .isInstanceOf(RendezvousFailure.StateCorrupt.class)
                .hasMessageContaining(what);
    }

    @Test
    void shouldOpenWhatItHasSealed() {
        byte[] sealed = sealing.seal(KEY, VALUE);
        assertThat(sealed).hasSize(VALUE.length + Sealing.MOST_ADDED_BYTES);
        assertThat(new String(sealed, StandardCharsets.ISO_8859_1)).doesNotContain("value");
        assertThat(sealing.seal(KEY, VALUE)).as("never the same twice").isNotEqualTo(sealed);
        assertThat(new Sealing(secret, "j").open(KEY, sealed)).isEqualTo(VALUE);
        assertThat(sealing.open(KEY, sealing.seal(KEY, new byte[0]))).isEmpty();
    }

    @Test
    void shouldRefuseEachChangedBitAndEachMissingByte() {
        byte[] sealed = sealing.seal(KEY, VALUE);
        for (int bit = 0; bit < 8 * sealed.length; bit++) {
            byte[] changed = sealed.clone();
            changed[bit / 8] ^= (byte) (1 << bit % 8);
            assertCorrupt(sealing, KEY, changed, "in etcd was not");
        }
        for (int length = 0; length < sealed.length; length++) {
            assertCorrupt(sealing, KEY, Arrays.copyOf(sealed, length), "in etcd was not");
        }
    }

    @Test
    void shouldRefuseWhatBelongsElsewhere() {
        byte[] sealed = sealing.seal(KEY, VALUE);
        byte[] other = "/ulfm/j/kv/b".getBytes(StandardCharsets.UTF_8);
        assertCorrupt(sealing, other, sealed, "'/ulfm/j/kv/b' in etcd was not sealed with this job's secret");
        assertCorrupt(new Sealing(secret, "k"), KEY, sealed, "was not sealed with this job's secret");
        assertCorrupt(new Sealing(JobSecret.random(), "j"), KEY, sealed, "was not sealed with this job's secret");
    }

    @Test
    void shouldNotMixSealedAndOpenValues() {
        Sealing open = new Sealing(null, "j");
        byte[] plain = open.seal(KEY, VALUE);
        assertThat(open.open(KEY, plain)).isEqualTo(VALUE);
        assertCorrupt(sealing, KEY, plain, "was not stored by a process of this job that has its secret");
        assertCorrupt(open, KEY, sealing.seal(KEY, VALUE), "is sealed, and this process has no secret");
        assertCorrupt(open, KEY, new byte[0], "was not stored by a process of this job");
    }
}
