package org.ulfmj.transport;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.transport.local.LocalHub;
import org.ulfmj.transport.shm.ShmWorld;
import org.ulfmj.transport.tcp.TcpFabrics;

/** Nothing is allocated per message once a pair has warmed up. */
@Timeout(120)
class AllocationTest {
    private static final int WARM_UP = 20_000;
    private static final int MESSAGES = 20_000;
    /** One object a message would be at least 16. */
    private static final double MAX_BYTES_PER_MESSAGE = 4;

    /** Counts and does nothing else. */
    private static final class Counter implements FrameSink {
        private int frames;

        @Override
        public void onFrame(ProcessId from, LaneKind lane, Frame frame) {
            frames++;
        }

        @Override
        public void onDrained(ProcessId peer) {}

        @Override
        public void onLinkBroken(ProcessId peer) {}

        @Override
        public void onLinkRestored(ProcessId peer) {}

        @Override
        public void onLifelineLost(ProcessId peer) {}

        @Override
        public void onExcluded(ProcessId by) {}
    }

    @Test
    void shouldNotAllocatePerMessageBetweenThreads() {
        LocalHub hub = new LocalHub(2);

        assertThat(bytesPerMessage(hub.fabric(0), hub.fabric(1))).isLessThan(MAX_BYTES_PER_MESSAGE);
    }

    @Test
    void shouldNotAllocatePerMessageOverTcp() {
        try (TcpFabrics fabrics = new TcpFabrics()) {
            assertThat(bytesPerMessage(fabrics.zero(), fabrics.one())).isLessThan(MAX_BYTES_PER_MESSAGE);
        }
    }

    @Test
    void shouldNotAllocatePerMessageThroughSharedMemory() {
        try (ShmWorld world = new ShmWorld(2)) {
            assertThat(bytesPerMessage(world.fabric(0), world.fabric(1))).isLessThan(MAX_BYTES_PER_MESSAGE);
        }
    }

    private static double bytesPerMessage(Fabric zero, Fabric one) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long self = Thread.currentThread().getId();
        Frame frame = new Frame().reset(FrameType.EAGER);
        frame.payload(new BufferPayload(ByteBuffer.allocateDirect(100)), 0, 100);
        ProcessId receiver = ProcessId.of(1);
        Counter ofZero = new Counter();
        Counter ofOne = new Counter();
        long before = 0;
        for (int i = 0; i < WARM_UP + MESSAGES; i++) {
            if (i == WARM_UP) {
                before = threads.getThreadAllocatedBytes(self);
            }
            zero.offer(receiver, LaneKind.DATA, frame);
            while (ofOne.frames <= i) {
                zero.pollWithSeat(ofZero);
                one.pollWithSeat(ofOne);
            }
        }
        return (threads.getThreadAllocatedBytes(self) - before) / (double) MESSAGES;
    }
}
