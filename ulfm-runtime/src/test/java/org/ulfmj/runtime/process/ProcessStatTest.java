package org.ulfmj.runtime.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ProcessStatTest {
    private static final String REST = " 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 424242 20 21";

    @Test
    void shouldReadNameStateAndStartAlsoBehindAStrangeName() {
        assertThat(ProcessStat.parse("4711 (java) S" + REST)).isEqualTo(new ProcessStat(4711, "java", 'S', 424242));
        assertThat(ProcessStat.parse("4711 (a) Z (b) R" + REST))
                .isEqualTo(new ProcessStat(4711, "a) Z (b", 'R', 424242));
    }

    @Test
    void shouldBelieveAZombieOnlyOfAVirtualMachine() {
        assertThat(ProcessStat.parse("1 (java) Z" + REST).hasEnded()).isTrue();
        assertThat(ProcessStat.parse("1 (python3) Z" + REST).hasEnded()).isFalse();
        assertThat(ProcessStat.parse("1 (python3) X" + REST).hasEnded()).isTrue();
        assertThat(ProcessStat.parse("1 (java) T" + REST).hasEnded()).isFalse();
    }

    @Test
    void shouldNotGuessAnUnknownFormat() {
        assertThatThrownBy(() -> ProcessStat.parse("1 (java) S 1 2"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("/proc shows an unknown format: 1 (java) S 1 2");
        assertThatThrownBy(() -> ProcessStat.parse("nonsense")).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void shouldFindThisProcessAndNoOther() {
        ProcessStat self = ProcessStat.read("self");
        assertThat(self.hasEnded()).isFalse();
        HostFacts facts = HostFacts.read();
        assertThat(facts.startTicks()).isEqualTo(self.startTicks()).isPositive();
        assertThat(facts.pid()).isEqualTo(ProcessHandle.current().pid());
        assertThat(facts.bootId()).hasSize(36);
        assertThat(facts.pidNamespace()).isPositive();
        assertThat(ProcessStat.read("0")).isNull();
    }
}
