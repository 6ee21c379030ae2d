package org.ulfmj.transport.auth;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.SecureRandom;

/**
 * Random bytes that cannot be guessed, straight from the kernel: loading {@link SecureRandom} would cost a starting
 * rank tens of milliseconds, so it serves only where there is no {@code /dev/urandom}. Any thread.
 */
public final class RandomBytes {
    private static final String DEVICE = "/dev/urandom";

    private RandomBytes() {}

    public static byte[] next(int count) {
        // A stream, not a channel: an interrupt of the calling thread would close a channel.
        try (FileInputStream device = new FileInputStream(DEVICE)) {
            byte[] bytes = device.readNBytes(count);
            if (bytes.length == count) {
                return bytes;
            }
        } catch (IOException noDevice) {
            // Falls through: the platform has its own generator.
        }
        byte[] bytes = new byte[count];
        new SecureRandom().nextBytes(bytes);
        return bytes;
    }

    /** 64 random bits. */
    public static long nextLong() {
        return ByteBuffer.wrap(next(Long.BYTES)).getLong();
    }
}
