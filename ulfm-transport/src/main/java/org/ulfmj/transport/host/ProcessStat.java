package org.ulfmj.transport.host;

import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;

/**
 * The content of the file {@code stat} of a process or a thread (proc(5)). A file that is kept open shows a killed
 * process as gone a millisecond after the signal; waiting for the process would take until the kernel has freed its
 * memory. All fields are those of the last {@link #read}. Not thread-safe.
 */
public final class ProcessStat implements AutoCloseable {
    /** The folder in which the system shows its processes, by pid. */
    public static final String PROC = "/proc";

    /** Returned instead of a state letter if nothing was read, as for a process that was reaped. */
    public static final char GONE = '-';

    /** The length of the buffer for the line; more than the longest line of 52 fields has. */
    private static final int LINE_BYTES = 1536;

    // Numbers of fields, counted from the name on: 0 is the first field behind the name.
    private static final int PARENT = 1;
    private static final int GROUP = 2;
    private static final int SESSION = 3;
    private static final int TERMINAL = 4;
    private static final int TERMINAL_GROUP = 5;
    private static final int USER_TICKS = 11;
    private static final int SYSTEM_TICKS = 12;
    private static final int THREADS = 17;
    private static final int START = 19;

    private static final int SIGNAL_MASK = 127;
    private static final int SIGNAL_BASE = 128;
    private static final int CODE_MASK = 255;

    /** No channel is used: an interrupt of the calling thread would close it. */
    private final RandomAccessFile file;

    private final byte[] line;
    private int length;
    /** The index of the closing bracket behind the name. */
    private int close;

    private ProcessStat(RandomAccessFile file, byte[] line, int length) {
        this.file = file;
        this.line = line;
        this.length = length;
    }

    /** Opens the file of a process without reading it. Null if there is no such file, or no file descriptor is left. */
    public static ProcessStat open(long pid) {
        return open(folder(PROC, pid));
    }

    /** @param folder the folder of a process or of one of its threads: {@code /proc/PID}, {@code /proc/PID/task/TID} */
    public static ProcessStat open(String folder) {
        File stat = new File(folder, "stat");
        if (!stat.exists()) {
            // Asked first, because the file is mostly missing when a peer has just died, and the first exception of a
            // process costs half a millisecond.
            return null;
        }
        try {
            return new ProcessStat(new RandomAccessFile(stat, "r"), new byte[LINE_BYTES], 0);
        } catch (IOException goneOrNoDescriptor) {
            return null;
        }
    }

    /**
     * The folder in which the system shows a process. The name is built without {@code +}, whose first use costs a
     * starting virtual machine 10 ms.
     */
    public static String folder(String proc, long pid) {
        return proc.concat("/").concat(Long.toString(pid));
    }

    /**
     * The present state of a process; null if it is gone, or no file descriptor is left. The result need not be closed.
     */
    public static ProcessStat of(long pid) {
        return now(folder(PROC, pid));
    }

    /** The present state of the calling process; null if it cannot be read, as on a system without {@code /proc}. */
    public static ProcessStat ofSelf() {
        return now(PROC.concat("/self"));
    }

    /** The present state of the process or thread with this folder, as {@link #of}. */
    public static ProcessStat now(String folder) {
        ProcessStat stat = open(folder);
        if (stat == null) {
            return null;
        }
        try (stat) {
            return stat.read() ? stat : null;
        }
    }

    /** Parses the content of a file {@code stat}. */
    public static ProcessStat parse(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        ProcessStat stat = new ProcessStat(null, bytes, bytes.length);
        stat.findName();
        return stat;
    }

    /**
     * Reads the file anew; false if it cannot be read any more, because the process was reaped.
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

    /** Reads the file anew and returns the letter of {@link #state}. */
    public char readState() {
        read();
        return state();
    }

    /** Finds the end of the name, which stands in brackets and may itself hold brackets and spaces. */
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

    /** The pid in the pid namespace to which {@code /proc} belongs. */
    public long pid() {
        return number(0);
    }

    /** The name that the system keeps of the process or thread, such as that of the executable, cut to 15 bytes. */
    public String name() {
        int open = 0;
        while (open < close && line[open] != '(') {
            open++;
        }
        if (open == close) {
            throw unknown();
        }
        return new String(line, open + 1, close - open - 1, StandardCharsets.ISO_8859_1);
    }

    /**
     * The state letter: {@code R}, {@code S} and others of a live process; {@code Z} of a process that has ended and
     * was not waited for; {@code X} of a process that is being removed; {@link #GONE} if the last read found nothing,
     * as for a process that was reaped, or nothing was read yet.
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

    /** The controlling terminal; 0 for none. */
    public long terminal() {
        return field(TERMINAL);
    }

    /** The foreground process group of the terminal; −1 for none. */
    public long terminalGroup() {
        return field(TERMINAL_GROUP);
    }

    /** The processor time that the thread, or all threads of the process, have used, in ticks of 10 ms. */
    public long processorTicks() {
        return field(USER_TICKS) + field(SYSTEM_TICKS);
    }

    public long threads() {
        return field(THREADS);
    }

    /** The start time in ticks since the boot. Distinguishes two processes that had the same pid. */
    public long startTicks() {
        return field(START);
    }

    /**
     * Whether the state letter proves that the process has ended; false for {@link #GONE}. State Z proves this only for
     * a Java virtual machine, whose first thread waits for all others; in other programs the first thread may end while
     * others run.
     */
    public boolean hasEnded() {
        return state() == 'X' || state() == 'x' || state() == 'Z' && name().equals("java");
    }

    /**
     * Whether the last read shows a dead process of which no other thread is left; false if it found nothing. A process
     * whose first thread has ended is shown as a zombie even while other threads run.
     */
    public boolean hasEndedWholly() {
        return (state() == 'Z' || state() == 'X') && threads() <= 1;
    }

    /** The exit code of a dead process, as a shell reports it; 0 if the system does not show it. */
    public int exitCode() {
        int end = length;
        while (end > 0 && (line[end - 1] < '0' || line[end - 1] > '9')) {
            end--;
        }
        int status = 0;
        int unit = 1;
        // The last number of the line is the wait status of the process.
        for (int at = end - 1; at >= 0 && line[at] >= '0' && line[at] <= '9'; at--) {
            status += unit * (line[at] - '0');
            unit *= 10;
        }
        int signal = status & SIGNAL_MASK;
        return signal == 0 ? status >> Byte.SIZE & CODE_MASK : SIGNAL_BASE + signal;
    }

    /**
     * The number in a field, read byte by byte, without a string per field. Fields are mostly read when a peer has just
     * died, by code that has run seldom and is not compiled.
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
            // An error of closing is ignored: the file was only read, so no data are lost.
        }
    }
}
