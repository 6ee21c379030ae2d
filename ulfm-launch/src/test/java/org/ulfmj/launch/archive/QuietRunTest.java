package org.ulfmj.launch.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class QuietRunTest {
    private static final List<String> FOR_EVER = List.of("/bin/sh", "-c", "sleep 1000");

    @Test
    void shouldTellWhetherACommandEndedWell() throws IOException {
        QuietRun commands = new QuietRun(60);
        assertThat(commands.run(List.of("/bin/sh", "-c", "true"))).isTrue();
        assertThat(commands.run(List.of("/bin/sh", "-c", "exit 3"))).isFalse();
    }

    @Test
    void shouldEndAllCommandsWhenTheirTimeIsOver() throws IOException {
        QuietRun commands = new QuietRun(1);
        assertThat(commands.run(FOR_EVER)).isFalse();
        assertThat(commands.run(FOR_EVER)).as("no time is left").isFalse();
    }

    @Test
    void shouldBeginNothingOnceItWasStopped() {
        QuietRun commands = new QuietRun(60);
        commands.stop();
        assertThatThrownBy(() -> commands.run(FOR_EVER)).isInstanceOf(IOException.class);
    }

    @Test
    void shouldPassOnNoOptionsOfTheJob() throws IOException {
        ProcessBuilder builder = new ProcessBuilder("true");
        builder.environment().put("ULFM_RUN_ID", "1");
        builder.environment().put("JDK_JAVA_OPTIONS", "-Xint");
        builder.environment().put("OTHER", "stays");
        QuietRun.clean(builder);
        assertThat(builder.environment()).containsKey("OTHER").doesNotContainKeys("ULFM_RUN_ID", "JDK_JAVA_OPTIONS");
    }
}
