package org.ulfmj.launch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Whether stdin is a terminal that another process reads: a shell that has started the job in the background. Ranks are
 * in their own sessions, where the terminal does not stop them from reading, so they would take away what the user
 * types at the prompt.
 */
final class TerminalInput {
    private static final Path STAT = Path.of("/proc/self/stat");
    private static final Path STDIN = Path.of("/proc/self/fd/0");

    private TerminalInput() {}

    static boolean isOthers() {
        try {
            String stdin = Files.readSymbolicLink(STDIN).toString();
            boolean isTerminal = stdin.startsWith("/dev/pts/") || stdin.startsWith("/dev/tty");
            return isTerminal && isInBackground(Files.readString(STAT));
        } catch (IOException | UnsupportedOperationException noProc) {
            return false;
        }
    }

    /**
     * Whether a process is not in the group that its terminal is for.
     *
     * @param stat its line in {@code /proc}: behind the name, which may hold anything, come state, parent, group,
     *     session, terminal and the terminal's group
     */
    static boolean isInBackground(String stat) {
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        String group = fields[2];
        boolean hasTerminal = !fields[4].equals("0");
        String groupOfTerminal = fields[5];
        return hasTerminal && !group.equals(groupOfTerminal);
    }
}
