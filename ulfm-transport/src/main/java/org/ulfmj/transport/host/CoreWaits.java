package org.ulfmj.transport.host;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.ulfmj.protocol.ProcessId;

/**
 * Measures how long the threads of a process have been ready and waited for a core, by
 * {@code /proc/PID/task/TID/schedstat}: a process that does not answer because other processes had the cores is not
 * taken for silent. Not thread-safe.
 */
public final class CoreWaits {
    private final Path proc;
    /** The reading from which the next call counts, by slot. */
    private final Map<Integer, Reading> known = new HashMap<>();

    /**
     * The waiting times of a process at one moment.
     *
     * @param waitedNs by thread; empty if no thread could be read
     */
    private record Reading(ProcessId process, Map<String, Long> waitedNs) {}

    public CoreWaits(Path proc) {
        this.proc = proc;
    }

    /**
     * Returns the time that a process has waited for a core since the last call for this process, in ns: that of the
     * thread that waited longest. 0 if that call could not read any thread of this process, or there was none.
     */
    public long sinceLast(ProcessId process, long pid) {
        Reading now = new Reading(process, read(pid));
        return most(process, known.put(process.slot(), now), now);
    }

    /** Reads the waiting times from which {@link #sinceBegin} counts. */
    public void begin(ProcessId process, long pid) {
        known.put(process.slot(), new Reading(process, read(pid)));
    }

    /** As {@link #sinceLast}, since {@link #begin}. */
    public long sinceBegin(ProcessId process, long pid) {
        return most(process, known.get(process.slot()), new Reading(process, read(pid)));
    }

    private static long most(ProcessId process, Reading before, Reading now) {
        if (before == null
                || !before.process().equals(process)
                || before.waitedNs().isEmpty()) {
            return 0;
        }
        long most = 0;
        for (Map.Entry<String, Long> thread : now.waitedNs().entrySet()) {
            most = Math.max(most, thread.getValue() - before.waitedNs().getOrDefault(thread.getKey(), 0L));
        }
        return most;
    }

    private Map<String, Long> read(long pid) {
        Map<String, Long> waits = new HashMap<>();
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(proc.resolve(pid + "/task"))) {
            for (Path thread : threads) {
                waits.put(thread.getFileName().toString(), waitedNs(thread.resolve("schedstat")));
            }
        } catch (IOException e) {
            waits.clear(); // the process has ended, or the system does not tell
        }
        return waits;
    }

    /** Reads how long a thread has waited for a core, in ns: the second of the three numbers in the thread's file. */
    private static long waitedNs(Path schedstat) {
        try {
            String[] numbers = Files.readString(schedstat).split(" ");
            return numbers.length > 1 ? Long.parseLong(numbers[1].strip()) : 0;
        } catch (IOException | NumberFormatException e) {
            return 0; // the thread has ended, or the kernel does not count
        }
    }
}
