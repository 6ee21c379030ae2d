package org.ulfmj.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.ulfmj.protocol.ProcessId;

class OutboundTest {
    private static final int SENDS = 200_000;

    /** A revocation ends them newest first, under the engine lock: heartbeats wait for as long as that takes. */
    @Test
    void shouldForgetAnySendWithoutASearchWhenVeryManyStream() {
        Peer peer = new Peer(ProcessId.of(1), false, 1);
        Outbound outbound = new Outbound(null, null, null, null, 1);
        SendOperation[] sends = new SendOperation[SENDS];
        for (int i = 0; i < SENDS; i++) {
            sends[i] = new SendOperation(outbound);
            sends[i].peer = peer;
            sends[i].phase = SendOperation.Phase.STREAMING;
            peer.streams.addLast(sends[i]);
        }
        long beginNs = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        for (int i = SENDS - 1; i >= 0; i--) {
            outbound.forget(sends[i]);
        }

        assertThat(ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - beginNs)
                .isLessThan(TimeUnit.SECONDS.toNanos(3));
    }
}
