package org.ulfmj.transport.shm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.ulfmj.transport.OtherProcess;

@Timeout(60)
class LaneWithoutDescriptorsTest {
    @Test
    void shouldGoOnInTheNextFileWhenThereAreDescriptorsAgain() throws IOException, InterruptedException {
        assertThat(OtherProcess.saidWithFewDescriptors(LaneWithoutDescriptors.class))
                .isEqualTo("broken 0, early some, missing 0");
    }
}
