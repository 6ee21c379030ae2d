package org.ulfmj.runtime.options;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.ulfmj.protocol.Timing;

class RankSettingsTest {
    private final RankSettings settings = RankSettings.of(Timing.fromTimeout(5_000_000_000L));

    @Test
    void shouldNameOptionAndRangeWhenALimitIsOutOfIt() {
        assertThatThrownBy(() -> settings.withEager(70_000, 1 << 20))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("ulfm.eager.limit (70000 bytes) must be from 0 to 65536 bytes");
        assertThatThrownBy(() -> settings.withEager(1000, 999))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("ulfm.eager.credit (999 bytes) must not be below ulfm.eager.limit (1000 bytes)");
    }
}
