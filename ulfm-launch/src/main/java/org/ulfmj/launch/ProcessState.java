package org.ulfmj.launch;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;

/**
 * The state letter of a process by {@code /proc/PID/stat}, kept open: it says that a killed process is gone a
 * millisecond after the signal, whereas waiting for it takes until the kernel has freed its memory. Not thread-safe.
 */
final class ProcessState implements AutoCloseable {
    static final Path PROC = Path.of("/proc");

    /** The file cannot be read any more: the process was reaped. */
    static final char GONE = '-';

    /** More than the longest line: 52 numbers and a name of 16 bytes. */
    private static final int LINE_BYTES = 1536;

    private static final int SIGNAL_MASK = 127;
    private static final int SIGNAL_BASE = 128;
    private static final int CODE_MASK = 255;

    private final RandomAccessFile file;
    private final byte[] line = new byte[LINE_BYTES];
    private int length;

    private ProcessState(RandomAccessFile file) {
        this.file = file;
    }

    /** Null where there is no such file: not Linux, or gone already. */
    static ProcessState open(long pid) {
        return open(PROC, pid);
    }

    /** @param proc where the system tells of its processes, by pid */
    static ProcessState open(Path proc, long pid) {
        return openAt(proc.resolve(Long.toString(pid)));
    }

    /** Of a process, or of one of its threads. */
    static ProcessState openAt(Path entry) {
        try {
            return new ProcessState(new RandomAccessFile(entry.resolve("stat").toFile(), "r"));
        } catch (IOException e) {
            return null;
        }
    }

    /** {@code Z} and {@code X} are dead, {@link #GONE} is reaped, anything else is alive. */
    char read() {
        try {
            file.seek(0);
            length = file.read(line);
            return length <= 0 ? GONE : stateOf(line, length);
        } catch (IOException e) {
            return GONE;
        }
    }

    /**
     * The exit code of a process that the last {@link #read} found dead, as a shell has it; 0 if the system does not
     * tell, which it need not.
     */
    int exitCode() {
        return exitCodeOf(line, length);
    }

    /** The last number of the line is what waiting for the process will return. */
    static int exitCodeOf(byte[] line, int length) {
        int end = length;
        while (end > 0 && (line[end - 1] < '0' || line[end - 1] > '9')) {
            end--;
        }
        int status = 0;
        int unit = 1;
        for (int at = end - 1; at >= 0 && line[at] >= '0' && line[at] <= '9'; at--) {
            status += unit * (line[at] - '0');
            unit *= 10;
        }
        int signal = status & SIGNAL_MASK;
        return signal == 0 ? status >> Byte.SIZE & CODE_MASK : SIGNAL_BASE + signal;
    }

    /** The letter after the name, which is in brackets and may itself hold brackets and spaces. */
    static char stateOf(byte[] line, int length) {
        int bracket = length - 1;
        while (bracket >= 0 && line[bracket] != ')') {
            bracket--;
        }
        return bracket < 0 || bracket + 2 >= length ? GONE : (char) line[bracket + 2];
    }

    @Override
    public void close() {
        try {
            file.close();
        } catch (IOException e) {
            // Nothing was written; there is nothing to lose.
        }
    }
}
