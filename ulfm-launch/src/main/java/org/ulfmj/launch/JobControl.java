package org.ulfmj.launch;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Whether a shell can continue a process that has stopped. POSIX has the kernel discard SIGTSTP in an orphaned process
 * group: one in which no process has its parent in another group of the same session, so that no shell is told of the
 * stop. The launcher catches the signal and stops itself by SIGSTOP, which is not discarded, so it has to look for
 * itself. Pure but for {@code /proc}.
 */
final class JobControl {
    /** The places of the numbers in {@code /proc/PID/stat} that follow the name and the state. */
    private static final int PARENT = 1;

    private static final int GROUP = 2;
    private static final int SESSION = 3;

    private static final int INIT = 1;

    /** A process of another namespace, of which nothing can be known. */
    private static final int OUTSIDE = 0;

    private JobControl() {}

    /**
     * Whether something is told when the process stops, as a shell that can continue it. True where that cannot be
     * known.
     *
     * @param proc where the system tells of its processes, by pid
     */
    static boolean canBeContinued(Path proc, long pid) {
        if (pid == INIT) {
            return false;
        }
        long[] own = read(proc, Long.toString(pid));
        if (own == null || own[GROUP] == OUTSIDE || own[SESSION] == OUTSIDE) {
            return true;
        }
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(proc, "[0-9]*")) {
            for (Path process : processes) {
                long[] member = read(proc, process.getFileName().toString());
                if (member != null && member[GROUP] == own[GROUP] && isWatched(proc, member)) {
                    return true;
                }
            }
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    /** Whether the parent is in the same session and not in the same group. */
    private static boolean isWatched(Path proc, long[] member) {
        if (member[PARENT] == OUTSIDE) {
            return false;
        }
        long[] parent = read(proc, Long.toString(member[PARENT]));
        return parent == null || parent[SESSION] == member[SESSION] && parent[GROUP] != member[GROUP];
    }

    /**
     * The first numbers after the name, which is in brackets and may hold spaces; null for a process that is gone or
     * hidden.
     */
    private static long[] read(Path proc, String pid) {
        try {
            String line = Files.readString(proc.resolve(pid).resolve("stat"), StandardCharsets.ISO_8859_1);
            String[] words = line.substring(line.lastIndexOf(')') + 2).split(" ");
            long[] numbers = new long[SESSION + 1];
            for (int at = PARENT; at <= SESSION; at++) {
                numbers[at] = Long.parseLong(words[at]);
            }
            return numbers;
        } catch (IOException | RuntimeException e) {
            return null;
        }
    }
}
