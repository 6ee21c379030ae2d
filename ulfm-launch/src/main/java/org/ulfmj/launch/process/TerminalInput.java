package org.ulfmj.launch.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.ulfmj.transport.host.ProcessStat;

/**
 * Finds out whether stdin is a terminal that another process reads: a shell that has started the job in the background.
 * Ranks are in separate sessions, where the terminal does not stop them from reading, so they would take what the user
 * types at the shell's prompt.
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

    /** Whether a process has a terminal and is not in the foreground process group of it. */
    public static boolean isInBackground(ProcessStat process) {
        return process.terminal() != 0 && process.group() != process.terminalGroup();
    }
}
