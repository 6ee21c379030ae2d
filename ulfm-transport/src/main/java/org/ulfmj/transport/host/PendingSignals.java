package org.ulfmj.transport.host;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * Finds out by {@code /proc/PID/status} whether SIGKILL is pending at a process. A process that waits for a disk (state
 * D) takes the signal only when that wait has ended, and then runs no more instructions.
 */
public final class PendingSignals {
    private static final int SIGKILL_BIT = 1 << 9 - 1;
    private static final int MOST_BYTES = 8192;

    private PendingSignals() {}

    /** Whether SIGKILL is pending at a process. False also where the system does not tell. */
    public static boolean hasKill(Path proc, long pid) {
        byte[] text = new byte[MOST_BYTES];
        try (RandomAccessFile file =
                new RandomAccessFile(proc.resolve(pid + "/status").toFile(), "r")) {
            int length = file.read(text);
            return length > 0 && hasKill(new String(text, 0, length, StandardCharsets.US_ASCII));
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Whether SIGKILL is pending at the first thread or at the whole process, by the text of {@code status}. It has a
     * line for each of the two, with a bit per signal in hexadecimal digits.
     */
    public static boolean hasKill(String status) {
        for (String line : status.split("\n")) {
            if (line.startsWith("SigPnd:") || line.startsWith("ShdPnd:")) {
                String digits = line.substring(line.indexOf(':') + 1).strip();
                try {
                    if ((Long.parseUnsignedLong(digits, 16) & SIGKILL_BIT) != 0) {
                        return true;
                    }
                } catch (NumberFormatException e) {
                    return false;
                }
            }
        }
        return false;
    }
}
