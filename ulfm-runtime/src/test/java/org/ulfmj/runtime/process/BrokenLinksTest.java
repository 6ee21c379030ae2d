package org.ulfmj.runtime.process;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.ulfmj.protocol.ProcessId;

class BrokenLinksTest {
    private final BrokenLinks links = new BrokenLinks(100);

    @Test
    void shouldReportABreakOnceTheTimeoutIsOver() {
        links.onBroken(ProcessId.of(1), 10);
        links.onBroken(ProcessId.of(2), 50);
        links.onBroken(ProcessId.of(1), 60);
        assertThat(links.takeDue(109)).isEmpty();
        assertThat(links.nextDeadlineNs()).isEqualTo(110);
        assertThat(links.takeDue(110)).containsExactly(ProcessId.of(1));
        assertThat(links.takeDue(149)).isEmpty();
        assertThat(links.takeDue(200)).containsExactly(ProcessId.of(2));
        assertThat(links.takeDue(10_000)).isEmpty();
        assertThat(links.nextDeadlineNs()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void shouldForgetABreakThatDeathOrGoodbyeExplains() {
        links.onBroken(ProcessId.of(1), 10);
        links.onGone(ProcessId.of(1));
        assertThat(links.takeDue(10_000)).isEmpty();
        links.onBroken(ProcessId.of(2), 10_000);
        assertThat(links.takeDue(10_100)).containsExactly(ProcessId.of(2));
    }

    @Test
    void shouldForgetABreakThatIsToldAfterTheEndThatExplainsIt() {
        links.onGone(ProcessId.of(1));
        links.onBroken(ProcessId.of(1), 10);
        assertThat(links.takeDue(10_000)).isEmpty();
    }

    @Test
    void shouldForgetABreakThatANewConnectionMends() {
        links.onBroken(ProcessId.of(1), 10);
        links.onRestored(ProcessId.of(1));
        assertThat(links.takeDue(10_000)).isEmpty();
        links.onBroken(ProcessId.of(1), 20_000);
        assertThat(links.takeDue(20_099)).isEmpty();
        assertThat(links.takeDue(20_100)).containsExactly(ProcessId.of(1));
    }

    @Test
    void shouldKeepNothingOfTheProcessesThatASlotHadBefore() {
        for (int incarnation = 0; incarnation < 1_000; incarnation++) {
            links.onBroken(new ProcessId(1, incarnation), 10);
            links.onGone(new ProcessId(1, incarnation));
        }
        assertThat(links.kept()).isEqualTo(1);
        links.onBroken(new ProcessId(1, 7), 20);
        assertThat(links.takeDue(10_000)).as("of one that has gone").isEmpty();
        links.onBroken(new ProcessId(1, 1_000), 20_000);
        assertThat(links.takeDue(20_100)).containsExactly(new ProcessId(1, 1_000));
    }
}
