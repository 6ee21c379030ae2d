package org.ulfmj.launch.command;

import java.nio.file.Path;
import java.util.Locale;
import org.ulfmj.launch.hosts.OwnHost;
import org.ulfmj.protocol.ProcessId;

/**
 * A pattern for the names of the files to which the stdout and stderr of processes go. In the pattern, {@code %r}
 * stands for the rank and {@code %h} for the launcher's host. {@code %g} and {@code %p}, Hydra's numbers of group and
 * proxy, are always 0 here. Immutable.
 */
public final class FilePattern {
    private static final String RANK = "%r";

    /** Null if stdout does not go to a file. */
    private final Path out;
    /** Null if stderr does not go to a file. */
    private final Path err;
    /** To how many digits a rank is filled up in the names of files. */
    private final int digits;

    private FilePattern(Path out, Path err, int digits) {
        this.out = out;
        this.err = err;
        this.digits = digits;
    }

    /** The files {@code rank.N/stdout} and {@code rank.N/stderr} in a directory, as Open MPI names them. */
    static FilePattern inDirectory(Path directory, int size) {
        Path ofRank = directory.resolve("rank." + RANK);
        return new FilePattern(ofRank.resolve("stdout"), ofRank.resolve("stderr"), digits(size));
    }

    /** The files {@code NAME.N.out} and {@code NAME.N.err}. */
    static FilePattern beginningWith(Path name, int size) {
        String beginning = name.getFileName() + "." + RANK;
        return new FilePattern(
                name.resolveSibling(beginning + ".out"), name.resolveSibling(beginning + ".err"), digits(size));
    }

    /** Files by patterns of the user's. */
    static FilePattern of(Path out, Path err) {
        return new FilePattern(out, err, 1);
    }

    /**
     * With how many digits each rank of a job is written: as many as the highest rank has, so that names sorted as text
     * are in the order of the ranks.
     */
    private static int digits(int size) {
        return Integer.toString(size - 1).length();
    }

    /**
     * The file for stdout or stderr of a process; null if that stream goes to no file.
     *
     * @param isOut whether the file for stdout is asked for, not the one for stderr
     * @param process null for a spare
     * @param spare number of the spare; of no meaning for other processes
     */
    public Path file(boolean isOut, ProcessId process, int spare) {
        Path pattern = isOut ? out : err;
        if (pattern == null) {
            return null;
        }
        String name = pattern.toString();
        return Path.of((process == null ? name.replace("rank." + RANK, RANK) : name)
                .replace(RANK, process == null ? "spare." + spare : text(process))
                .replace("%h", name.contains("%h") ? hostName() : "")
                .replace("%g", "0")
                .replace("%p", "0"));
    }

    private String text(ProcessId process) {
        String rank = String.format(Locale.ROOT, "%0" + digits + "d", process.slot());
        return process.incarnation() == 0 ? rank : rank + "." + process.incarnation();
    }

    private static String hostName() {
        return OwnHost.name();
    }
}
