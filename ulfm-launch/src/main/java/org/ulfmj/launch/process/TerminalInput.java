package org.ulfmj.launch.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.ulfmj.transport.host.ProcessStat;

/**
 * Whether stdin is a terminal that another process reads: a shell that has started the job in the background. Ranks are
 * in other sessions, where the terminal does not stop them from reading, so they would take the user's input at the
 * prompt.
 */
public final class TerminalInput {
    private static final Path STDIN = Path.of("/proc/self/fd/0");

    private TerminalInput() {}

    public static boolean isOthers() {
        try {
            String stdin = Files.readSymbolicLink(STDIN).toString();
            boolean isTerminal = stdin.startsWith("/dev/pts/") || stdin.startsWith("/dev/tty");
            ProcessStat self = isTerminal ? ProcessStat.ofSelf() : null;
            return self != null && isInBackground(self);
        } catch (IOException | UnsupportedOperationException noProc) {
            return false;
        }
    }

    /** Whether a process is not in the foreground group of its terminal. */
    public static boolean isInBackground(ProcessStat process) {
        return process.terminal() != 0 && process.group() != process.terminalGroup();
    }
}
