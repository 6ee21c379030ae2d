package org.ulfmj.transport.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.ulfmj.transport.OtherProcess;

@Timeout(60)
class DoorWithoutDescriptorsTest {
    /**
     * While no file can be opened, a caller cannot be accepted and stays in the kernel. It must not end each sleep of
     * the rank at once.
     */
    @Test
    void shouldSleepWhileNoCallCanBeAcceptedAndAcceptLater() throws IOException, InterruptedException {
        assertThat(OtherProcess.saidWithFewDescriptors(DoorWithoutDescriptors.class))
                .isEqualTo("asleep, heard true\n");
    }

    @Test
    void shouldSleepWhileNoLifelineCanBeAcceptedAndAcceptItLater(@TempDir Path directory)
            throws IOException, InterruptedException {
        String socket = directory.resolve("l").toString();
        assertThat(OtherProcess.saidWithFewDescriptors(DoorWithoutDescriptors.class, socket))
                .isEqualTo("asleep, heard true\n");
    }
}
