package org.ulfmj.transport.auth;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.SecureRandom;

/**
 * Random bytes that cannot be guessed, read from {@code /dev/urandom}. {@link SecureRandom} is used only if that device
 * cannot be read: loading it would cost a starting rank tens of milliseconds. Any thread.
 */
public final class RandomBytes {
    private static final String DEVICE = "/dev/urandom";

    private RandomBytes() {}

    public static byte[] next(int count) {
        // The file is read by a stream and not by a channel, because an interrupt of the calling thread would close a
        // channel.
        try (FileInputStream device = new FileInputStream(DEVICE)) {
            byte[] bytes = device.readNBytes(count);
            if (bytes.length == count) {
                return bytes;
            }
        } catch (IOException noDevice) {
            // The device cannot be read: SecureRandom is used instead.
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
