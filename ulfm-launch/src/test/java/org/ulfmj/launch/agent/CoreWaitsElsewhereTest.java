package org.ulfmj.launch.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.ulfmj.launch.event.JobEvent;
import org.ulfmj.protocol.ProcessId;

class CoreWaitsElsewhereTest {
    private static final ProcessId PROCESS = new ProcessId(3, 1);

    @Test
    void shouldReturnWhatTheAgentHasToldSinceTheLastCall() {
        List<JobEvent> asked = new ArrayList<>();
        CoreWaitsElsewhere waits = new CoreWaitsElsewhere(asked::add);
        assertThat(waits.isKnown(PROCESS)).as("it was not asked for").isTrue();
        assertThat(waits.sinceLast(PROCESS, 47)).isZero();
        assertThat(waits.isKnown(PROCESS)).isFalse();
        waits.told(PROCESS, 1, 300);
        assertThat(waits.isKnown(PROCESS)).isTrue();
        waits.told(PROCESS, 1, 200);
        waits.told(ProcessId.of(4), 1, 900);
        assertThat(waits.sinceLast(PROCESS, 47)).isEqualTo(300);
        waits.told(PROCESS, 1, 700);
        assertThat(waits.isKnown(PROCESS)).isFalse();
        assertThat(waits.sinceLast(PROCESS, 47))
                .as("answers to the question before")
                .isZero();
        assertThat(asked)
                .containsExactly(
                        new JobEvent.CoreWaitsAsked(PROCESS, 47, 1),
                        new JobEvent.CoreWaitsAsked(PROCESS, 47, 2),
                        new JobEvent.CoreWaitsAsked(PROCESS, 47, 3));
    }
}
