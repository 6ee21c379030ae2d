package org.ulfmj.transport.host;

import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;

/**
 * What the system says of one process, or thread, in its file {@code stat} (proc(5)). Kept open, the file says that a
 * killed process is gone a millisecond after the signal, whereas waiting for it takes until the kernel has freed its
 * memory. Fields are those of the last {@link #read}. Not thread-safe.
 */
public final class ProcessStat implements AutoCloseable {
    /** Where the system tells of its processes, by pid. */
    public static final String PROC = "/proc";

    /** In the place of a state letter: the process was reaped. */
    public static final char GONE = '-';

    /** More than the longest line: 52 numbers and a name of 16 bytes. */
    private static final int LINE_BYTES = 1536;

    // Fields behind the name, by their place behind it.
    private static final int PARENT = 1;
    private static final int GROUP = 2;
    private static final int SESSION = 3;
    private static final int TERMINAL = 4;
    private static final int TERMINAL_GROUP = 5;
    private static final int THREADS = 17;
    private static final int START = 19;

    private static final int SIGNAL_MASK = 127;
    private static final int SIGNAL_BASE = 128;
    private static final int CODE_MASK = 255;

    /** Not a channel: an interrupt of the calling thread would close it. */
    private final RandomAccessFile file;

    private final byte[] line;
    private int length;
    /** The index of the bracket behind the name. */
    private int close;

    private ProcessStat(RandomAccessFile file, byte[] line, int length) {
        this.file = file;
        this.line = line;
        this.length = length;
    }

    /** Null where there is no such file, or no descriptor for it; nothing is read yet. */
    public static ProcessStat open(long pid) {
        return open(folder(PROC, pid));
    }

    /** @param folder of a process or of one of its threads: {@code /proc/PID}, {@code /proc/PID/task/TID} */
    public static ProcessStat open(String folder) {
        File stat = new File(folder, "stat");
        if (!stat.exists()) {
            // Mostly so when the peer has just died; an exception's first use takes half a millisecond.
            return null;
        }
        try {
            return new ProcessStat(new RandomAccessFile(stat, "r"), new byte[LINE_BYTES], 0);
        } catch (IOException goneOrNoDescriptor) {
            return null;
        }
    }

    /** Where the process is shown; built without {@code +}, whose first use costs a starting virtual machine 10 ms. */
    public static String folder(String proc, long pid) {
        return proc.concat("/").concat(Long.toString(pid));
    }

    /** What is said of a process now; null if it is gone, or no descriptor is left. Needs no closing. */
    public static ProcessStat of(long pid) {
        return now(folder(PROC, pid));
    }

    /** The same of the calling process; null where there is no such file system. */
    public static ProcessStat ofSelf() {
        return now(PROC.concat("/self"));
    }

    /** The same, by the folder. */
    public static ProcessStat now(String folder) {
        ProcessStat stat = open(folder);
        if (stat == null) {
            return null;
        }
        try (stat) {
            return stat.read() ? stat : null;
        }
    }

    /** What a line says. */
    public static ProcessStat parse(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        ProcessStat stat = new ProcessStat(null, bytes, bytes.length);
        stat.findName();
        return stat;
    }

    /**
     * Reads the file anew; false if it cannot be read any more, as the process was reaped.
     *
     * @throws IllegalStateException if the line has no name in brackets
     */
    public boolean read() {
        try {
            file.seek(0);
            length = file.read(line);
        } catch (IOException gone) {
            length = 0;
        }
        if (length <= 0) {
            length = 0;
            return false;
        }
        findName();
        return true;
    }

    /** Reads the file anew; the letter of {@link #state}. */
    public char readState() {
        read();
        return state();
    }

    /** The name is in brackets and may itself hold brackets and spaces. */
    private void findName() {
        close = length - 1;
        while (close > 0 && line[close] != ')') {
            close--;
        }
        if (close <= 0 || close + 2 >= length) {
            throw unknown();
        }
    }

    private IllegalStateException unknown() {
        String text = new String(line, 0, Math.max(0, length), StandardCharsets.ISO_8859_1);
        return new IllegalStateException("/proc shows an unknown format: ".concat(text));
    }

    /** As the namespace numbers it that {@code /proc} is of. */
    public long pid() {
        return number(0);
    }

    /** The name of the executable, as the system keeps it: at most 15 bytes. */
    public String name() {
        int open = 0;
        while (line[open] != '(') {
            open++;
        }
        return new String(line, open + 1, close - open - 1, StandardCharsets.ISO_8859_1);
    }

    /**
     * {@code R}, {@code S}, …; {@code Z} of one that has ended and was not waited for, {@code X} of one that vanishes,
     * {@link #GONE} of one that was reaped.
     */
    public char state() {
        return length == 0 ? GONE : (char) line[close + 2];
    }

    public long parent() {
        return field(PARENT);
    }

    public long group() {
        return field(GROUP);
    }

    public long session() {
        return field(SESSION);
    }

    /** 0 for none. */
    public long terminal() {
        return field(TERMINAL);
    }

    /** The group that the terminal is for; −1 for none. */
    public long terminalGroup() {
        return field(TERMINAL_GROUP);
    }

    public long threads() {
        return field(THREADS);
    }

    /** When it started, in ticks since the boot: tells two processes that had one pid apart. */
    public long startTicks() {
        return field(START);
    }

    /**
     * Whether the process has ended for certain. State Z means so only for a virtual machine, whose first thread waits
     * for all others; elsewhere the first thread may end and others go on.
     */
    public boolean hasEnded() {
        return state() == 'X' || state() == 'x' || state() == 'Z' && name().equals("java");
    }

    /** Whether no thread is left: a process whose first thread has ended is shown as a zombie while others may run. */
    public boolean hasEndedWholly() {
        return (state() == 'Z' || state() == 'X') && threads() <= 1;
    }

    /** The exit code of a dead process, as a shell has it; 0 if the system does not tell, which it need not. */
    public int exitCode() {
        int end = length;
        while (end > 0 && (line[end - 1] < '0' || line[end - 1] > '9')) {
            end--;
        }
        int status = 0;
        int unit = 1;
        // The last number of the line is what waiting for the process will return.
        for (int at = end - 1; at >= 0 && line[at] >= '0' && line[at] <= '9'; at--) {
            status += unit * (line[at] - '0');
            unit *= 10;
        }
        int signal = status & SIGNAL_MASK;
        return signal == 0 ? status >> Byte.SIZE & CODE_MASK : SIGNAL_BASE + signal;
    }

    /**
     * Byte by byte, without a string for each field: mostly it is read when a peer has just died, by code that was
     * seldom run before.
     */
    private long field(int place) {
        int at = close + 2;
        for (int left = place; left > 0; at++) {
            if (at >= length) {
                throw unknown();
            }
            if (line[at] == ' ') {
                left--;
            }
        }
        return number(at);
    }

    private long number(int from) {
        boolean isNegative = from < length && line[from] == '-';
        long value = 0;
        for (int at = isNegative ? from + 1 : from; at < length && line[at] >= '0' && line[at] <= '9'; at++) {
            value = 10 * value + (line[at] - '0');
        }
        return isNegative ? -value : value;
    }

    @Override
    public void close() {
        try {
            file.close();
        } catch (IOException nothingWritten) {
            // It was only read.
        }
    }
}
