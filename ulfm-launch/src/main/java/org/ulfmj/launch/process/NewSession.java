package org.ulfmj.launch.process;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The command that starts another in its own session; such a process keeps its pid, and names its group by it. */
public final class NewSession {
    private static final List<String> KNOWN = List.of("/usr/bin/setsid", "/bin/setsid");

    private NewSession() {}

    /**
     * The words in front of a command; empty where there is no such command, and then a terminal's signals reach it.
     */
    public static List<String> prefix() {
        return prefix(KNOWN, System.getenv("PATH"));
    }

    /**
     * As {@link #prefix()}.
     *
     * @param known where it mostly is
     * @param searchPath where it may be, too, as on systems that keep each package in its own place; may be null
     */
    public static List<String> prefix(List<String> known, String searchPath) {
        for (String setsid : known) {
            if (Files.isExecutable(Path.of(setsid))) {
                return List.of(setsid);
            }
        }
        for (String directory : (searchPath == null ? "" : searchPath).split(":")) {
            if (directory.isEmpty()) {
                continue; // POSIX has it mean the working directory, from which nothing is started unasked
            }
            Path setsid = Path.of(directory, "setsid").toAbsolutePath();
            if (Files.isRegularFile(setsid) && Files.isExecutable(setsid)) {
                return List.of(setsid.toString());
            }
        }
        return List.of();
    }
}
