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
            return length <= 0 ? null : parse(buffer, length);
        } catch (IOException gone) {
            return null;
        }
    }

    static ProcessStat parse(String line) {
        byte[] bytes = line.getBytes(StandardCharsets.ISO_8859_1);
        return parse(bytes, bytes.length);
    }

    /**
     * The name is in brackets and may itself hold brackets and spaces. Byte by byte, without a string for each field:
     * mostly it is read when a peer has just died, by code that was seldom run before.
     */
    private static ProcessStat parse(byte[] line, int length) {
        int open = 0;
        while (open < length && line[open] != '(') {
            open++;
        }
        int close = length - 1;
        while (close > open && line[close] != ')') {
            close--;
        }
        int state = close + 2;
        int start = state;
        for (int field = 0; field < FIELDS_TO_START && start < length; start++) {
            if (line[start] == ' ') {
                field++;
            }
        }
        if (close <= open || start >= length) {
            throw new IllegalStateException(
                    "/proc shows an unknown format: " + new String(line, 0, length, StandardCharsets.ISO_8859_1));
        }
        return new ProcessStat(
                number(line, 0),
                new String(line, open + 1, close - open - 1, StandardCharsets.ISO_8859_1),
                (char) line[state],
                number(line, start));
    }

    private static long number(byte[] line, int at) {
        long value = 0;
        for (int i = at; i < line.length && line[i] >= '0' && line[i] <= '9'; i++) {
            value = 10 * value + (line[i] - '0');
        }
        return value;
    }

    /**
     * Whether the process has ended for certain. State Z means so only for a virtual machine, whose first thread waits
     * for all others; elsewhere the first thread may end and others go on.
     */
    boolean hasEnded() {
        return state == 'X' || state == 'x' || state == 'Z' && name.equals("java");
    }
}
