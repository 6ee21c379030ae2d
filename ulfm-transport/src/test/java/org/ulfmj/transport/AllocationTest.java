package org.ulfmj.transport;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.concurrent.TimeUnit;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.transport.local.LocalHub;
import org.ulfmj.transport.record.Protection;
import org.ulfmj.transport.shm.ShmWorld;
import org.ulfmj.transport.tcp.TcpFabrics;

/**
 * Less than {@link #MAX_BYTES_PER_MESSAGE} bytes are allocated per message once a pair has warmed up, apart from what
 * the cipher of encrypted messages allocates. The selector of the JDK boxes the number of a descriptor for each event,
 * and keeps the boxes of those up to 127: tests must not leave many descriptors open.
 */
@Timeout(120)
class AllocationTest {
    private static final int MESSAGES_A_WINDOW = 20_000;
    private static final int MAX_WINDOWS = 20;
    /** The limit of the bytes allocated per message. One object per message would take at least 16 bytes. */
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

    /**
     * What the JDK's cipher allocates per record is measured separately and allowed. The clock stands still, so that no
     * timer runs: each timer would send further records, and slow messages would have more of them.
     */
    @Test
    void shouldAllocateNothingPerEncryptedMessageBesidesTheCipher() throws GeneralSecurityException {
        double ofCipher = bytesPerRecord();
        long nowNs = System.nanoTime();
        try (TcpFabrics fabrics = new TcpFabrics(Protection.AEAD, () -> nowNs)) {
            assertThat(bytesPerMessage(
                            fabrics.zero(), fabrics.one(), MESSAGES_A_WINDOW, 0, ofCipher + MAX_BYTES_PER_MESSAGE))
                    .isLessThan(ofCipher + MAX_BYTES_PER_MESSAGE);
        }
    }

    /**
     * How many bytes the sealing and the opening of one record allocate, with the calls that {@code RecordCipher}
     * makes; the least average of several windows.
     */
    private static double bytesPerRecord() throws GeneralSecurityException {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long self = Thread.currentThread().getId();
        Cipher sealing = Cipher.getInstance("AES/GCM/NoPadding");
        Cipher opening = Cipher.getInstance("AES/GCM/NoPadding");
        SecretKeySpec key = new SecretKeySpec(new byte[16], "AES");
        byte[] plain = new byte[200];
        byte[] sealed = new byte[plain.length + 16];
        byte[] nonce = new byte[12];
        double least = Double.MAX_VALUE;
        for (int window = 0; window < MAX_WINDOWS; window++) {
            long before = threads.getThreadAllocatedBytes(self);
            for (int i = 0; i < MESSAGES_A_WINDOW; i++) {
                nonce[i & 7]++;
                sealing.init(Cipher.ENCRYPT_MODE, key, new GCMParameterSpec(128, nonce));
                sealing.doFinal(plain, 0, plain.length, sealed, 0);
                opening.init(Cipher.DECRYPT_MODE, key, new GCMParameterSpec(128, nonce));
                opening.doFinal(sealed, 0, sealed.length, plain, 0);
            }
            least = Math.min(least, (threads.getThreadAllocatedBytes(self) - before) / (double) MESSAGES_A_WINDOW);
        }
        return least;
    }

    /** Messages far apart, as on a busy machine, so that timers of the links run between two messages. */
    @Test
    void shouldNotAllocateInTimersOfTcp() {
        try (TcpFabrics fabrics = new TcpFabrics()) {
            assertThat(bytesPerMessage(
                            fabrics.zero(),
                            fabrics.one(),
                            10,
                            TimeUnit.MILLISECONDS.toNanos(15),
                            MAX_BYTES_PER_MESSAGE))
                    .isLessThan(MAX_BYTES_PER_MESSAGE);
        }
    }

    @Test
    void shouldNotAllocatePerMessageThroughSharedMemory() {
        try (ShmWorld world = new ShmWorld(2)) {
            assertThat(bytesPerMessage(world.fabric(0), world.fabric(1))).isLessThan(MAX_BYTES_PER_MESSAGE);
        }
    }

    private static double bytesPerMessage(Fabric zero, Fabric one) {
        return bytesPerMessage(zero, one, MESSAGES_A_WINDOW, 0, MAX_BYTES_PER_MESSAGE);
    }

    /**
     * The bytes that this thread allocates per message, as the least average of the windows, which end with the first
     * one below {@code enough}: on a busy machine, code that is not compiled yet allocates in the first ones.
     */
    private static double bytesPerMessage(Fabric zero, Fabric one, int messages, long pauseNs, double enough) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long self = Thread.currentThread().getId();
        Frame frame = new Frame();
        frame.writeMessage(0, 0, 0, 0, new BufferPayload(ByteBuffer.allocateDirect(100)), 100);
        ProcessId receiver = ProcessId.of(1);
        Counter ofZero = new Counter();
        Counter ofOne = new Counter();
        double least = Double.MAX_VALUE;
        for (int window = 0; window < MAX_WINDOWS && least >= enough; window++) {
            long before = threads.getThreadAllocatedBytes(self);
            int until = ofOne.frames + messages;
            for (int i = ofOne.frames; i < until; i++) {
                long untilNs = System.nanoTime() + pauseNs;
                zero.offer(receiver, LaneKind.DATA, frame);
                while (ofOne.frames <= i || System.nanoTime() - untilNs < 0) {
                    zero.pollWithSeat(ofZero);
                    one.pollWithSeat(ofOne);
                }
            }
            least = Math.min(least, (threads.getThreadAllocatedBytes(self) - before) / (double) messages);
        }
        return least;
    }
}
