package org.ulfmj.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class CompareSettingsTest {
    @Test
    void shouldWantCellsByNameWorkAndGroup() {
        CompareSettings settings = CompareSettings.parse("--only", "pp:64k,barrier,tcp/pp:8");

        assertThat(settings.wants("shm", new Cell("pp", 1 << 16))).isTrue();
        assertThat(settings.wants("tcp", new Cell("pp", 8))).isTrue();
        assertThat(settings.wants("shm", new Cell("pp", 8))).isFalse();
        assertThat(settings.wants("shm", new Cell("barrier", 0))).isTrue();
        assertThat(settings.wants("failure")).isFalse();
    }
}
