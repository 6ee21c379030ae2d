package org.ulfmj.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

final class CompareSettingsTest {
    @Test
    void shouldNameTheNearestOptionWhenOneIsUnknown() {
        assertThatThrownBy(() -> CompareSettings.parse(new String[] {"--launch", "3"}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("--launch: no such option; the nearest is --launches; see --help");
    }

    @Test
    void shouldNameTheRangeWhenANumberIsOutside() {
        assertThatThrownBy(() -> CompareSettings.parse(new String[] {"--np=2,1"}))
                .hasMessage("--np 1: wants a number from 2 to 64");
    }

    @Test
    void shouldNameTheNearestPeerWhenOneIsUnknown() {
        assertThatThrownBy(() -> CompareSettings.parse(new String[] {"--peers", "opmi"}))
                .hasMessageStartingWith("--peers opmi: no such peer; the nearest is ompi");
    }

    @Test
    void shouldWantCellsByNameWorkAndGroup() {
        CompareSettings settings = CompareSettings.parse(new String[] {"--only", "pp:64k,barrier,tcp/pp:8"});

        assertThat(settings.wants("shm", new Cell("pp", 1 << 16))).isTrue();
        assertThat(settings.wants("tcp", new Cell("pp", 8))).isTrue();
        assertThat(settings.wants("shm", new Cell("pp", 8))).isFalse();
        assertThat(settings.wants("shm", new Cell("barrier", 0))).isTrue();
        assertThat(settings.wants("failure")).isFalse();
    }
}
