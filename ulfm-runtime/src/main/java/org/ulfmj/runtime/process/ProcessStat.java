package org.ulfmj.runtime.process;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;

/**
 * What the system says of one process in {@code /proc/PID/stat}.
 *
 * @param pid as the reader's own namespace has it
 * @param name of its executable, as the system keeps it; at most 15 bytes
 * @param state {@code R}, {@code S}, …; {@code Z} for one that has ended and was not waited for, {@code X} for one that
 *     is vanishing
 * @param startTicks when it started: tells two processes that had one pid apart
 */
record ProcessStat(long pid, String name, char state, long startTicks) {
    /** More than the longest line: 52 numbers and a name. */
    private static final int LINE_BYTES = 1536;

    /** Fields between the state, which is the third, and the start time, which is the twenty-second. */
    private static final int FIELDS_TO_START = 19;

    /** Null if there is no such process, or no such file system. */
    static ProcessStat read(String pid) {
        // Not a channel: an interrupt of the calling thread would close it.
        try (RandomAccessFile file = new RandomAccessFile(path(pid), "r")) {
            return read(file, new byte[LINE_BYTES]);
        } catch (IOException gone) {
            return null;
        }
    }

    /** Built without {@code +}, whose first use costs a starting virtual machine ten milliseconds. */
    static String path(String pid) {
        return "/proc/".concat(pid).concat("/stat");
    }

    /** A buffer for {@link #read(RandomAccessFile, byte[])}. */
    static byte[] buffer() {
        return new byte[LINE_BYTES];
    }

    /** Reads a file that was kept open; null if its process is gone. */
    static ProcessStat read(RandomAccessFile file, byte[] buffer) {
        try {
            file.seek(0);
            int length = file.read(buffer);
            return length <= 0 ? null : parse(new String(buffer, 0, length, StandardCharsets.ISO_8859_1));
        } catch (IOException gone) {
            return null;
        }
    }

    /** The name is in brackets and may itself hold brackets and spaces. */
    static ProcessStat parse(String line) {
        int open = line.indexOf('(');
        int close = line.lastIndexOf(')');
        String[] fields = open < 0 || close < open
                ? new String[0]
                : line.substring(close + 1).trim().split(" ");
        if (fields.length <= FIELDS_TO_START) {
            throw new IllegalStateException("/proc shows an unknown format: " + line);
        }
        return new ProcessStat(
                Long.parseLong(line.substring(0, open).trim()),
                line.substring(open + 1, close),
                fields[0].charAt(0),
                Long.parseLong(fields[FIELDS_TO_START]));
    }

    /**
     * Whether the process has ended for certain. State Z means so only for a virtual machine, whose first thread waits
     * for all others; elsewhere the first thread may end and others go on.
     */
    boolean hasEnded() {
        return state == 'X' || state == 'x' || state == 'Z' && name.equals("java");
    }
}
