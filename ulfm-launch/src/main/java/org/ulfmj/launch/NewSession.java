package org.ulfmj.launch;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The command that starts another in a session of its own; such a process keeps its pid, and names its group by it. */
final class NewSession {
    private static final List<String> KNOWN = List.of("/usr/bin/setsid", "/bin/setsid");

    private NewSession() {}

    /** To be put in front of a command; empty where there is no such command, and then a terminal's signals reach it. */
    static List<String> prefix() {
        for (String setsid : KNOWN) {
            if (Files.isExecutable(Path.of(setsid))) {
                return List.of(setsid);
            }
        }
        return List.of();
    }
}
