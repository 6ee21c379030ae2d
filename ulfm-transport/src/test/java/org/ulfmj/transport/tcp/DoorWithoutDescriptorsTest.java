package org.ulfmj.transport.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.ulfmj.transport.OtherProcess;

@Timeout(60)
class DoorWithoutDescriptorsTest {
    /** A caller that cannot be accepted stays in the kernel, where it would end each sleep at once. */
    @Test
    void shouldSleepWhileNoCallCanBeAcceptedAndAcceptLater() throws IOException, InterruptedException {
        assertThat(OtherProcess.saidWithFewDescriptors(DoorWithoutDescriptors.class))
                .isEqualTo("asleep, heard true\n");
    }
}
