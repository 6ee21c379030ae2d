package org.ulfmj.runtime.options;

/**
 * Which process is the launcher of a job, so that the job's processes can tell for certain that it is dead: its pid
 * alone may belong to another process by then.
 *
 * @param startTicks when it started, as {@code /proc/PID/stat} has it; 0 if unknown
 * @param pidNamespace in which its pid counts; 0 if unknown
 */
public record LauncherProcess(long pid, long startTicks, long pidNamespace) {
    /** An unknown launcher: nothing proves its death. */
    public static final LauncherProcess UNKNOWN = new LauncherProcess(0, 0, 0);

    static LauncherProcess parse(String text) {
        String[] parts = text.split(" ", -1);
        if (parts.length != 3) {
            throw new IllegalArgumentException("'" + text + "' names no launcher");
        }
        return new LauncherProcess(Long.parseLong(parts[0]), Long.parseLong(parts[1]), Long.parseLong(parts[2]));
    }

    String text() {
        return pid + " " + startTicks + " " + pidNamespace;
    }
}
