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

    @Test
    void shouldWantFirstSecondsByTheirGroupOnly() {
        CompareSettings settings = CompareSettings.parse("--only", "pp:8,first/allreduce:8,short");

        assertThat(settings.wantsOf("first", new Cell("pp", 8))).isFalse();
        assertThat(settings.wantsOf("first", new Cell("allreduce", 8))).isTrue();
        assertThat(settings.wants("short")).isTrue();
        assertThat(CompareSettings.parse("--only", "first").wantsOf("first", new Cell("barrier", 0)))
                .isTrue();
        assertThat(CompareSettings.parse().wantsOf("first", new Cell("barrier", 0)))
                .isTrue();
    }
}
