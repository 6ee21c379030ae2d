package org.ulfmj.launch.process;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.ulfmj.transport.host.ProcessStat;

/**
 * Finds out whether a shell can continue this process after it has stopped. POSIX has the kernel discard SIGTSTP in an
 * orphaned process group: one in which no process has its parent in another group of the same session, so that no shell
 * is told of the stop. The launcher catches SIGTSTP and stops itself by SIGSTOP, which is not discarded, so the
 * launcher has to find out before it stops. Pure but for {@code /proc}.
 */
public final class JobControl {
    private static final int INIT = 1;

    /**
     * The number that {@code /proc} shows for a process or group in another pid namespace, of which nothing more is
     * known.
     */
    private static final int OUTSIDE = 0;

    private JobControl() {}

    /**
     * Whether another process, such as a shell that can continue this one, is told when this process stops. True also
     * where that cannot be known.
     *
     * @param proc the folder {@code /proc}
     */
    public static boolean canBeContinued(Path proc, long pid) {
        if (pid == INIT) {
            return false;
        }
        ProcessStat own = read(proc, Long.toString(pid));
        if (own == null || own.group() == OUTSIDE || own.session() == OUTSIDE) {
            return true;
        }
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(proc, "[0-9]*")) {
            for (Path process : processes) {
                ProcessStat member = read(proc, process.getFileName().toString());
                if (member != null && member.group() == own.group() && isWatched(proc, member)) {
                    return true;
                }
            }
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    /**
     * Whether the parent of a process is told when the process stops as a whole group: it is in the same session but in
     * another process group. True also where the parent's state cannot be read; false for a parent in another pid
     * namespace.
     */
    private static boolean isWatched(Path proc, ProcessStat member) {
        if (member.parent() == OUTSIDE) {
            return false;
        }
        ProcessStat parent = read(proc, Long.toString(member.parent()));
        return parent == null || parent.session() == member.session() && parent.group() != member.group();
    }

    /** The state of a process; null if it has ended or its state cannot be read. */
    private static ProcessStat read(Path proc, String pid) {
        try {
            return ProcessStat.now(proc.resolve(pid).toString());
        } catch (IllegalStateException unknownFormat) {
            return null;
        }
    }
}
