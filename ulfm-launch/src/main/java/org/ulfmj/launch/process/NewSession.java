package org.ulfmj.launch.process;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Gives the command {@code setsid}, which starts another command in a new session. The process of that command keeps
 * its pid, which is also the number of its process group.
 */
public final class NewSession {
    private static final List<String> KNOWN = List.of("/usr/bin/setsid", "/bin/setsid");

    private NewSession() {}

    /**
     * The words to put in front of a command. Empty where the system has no {@code setsid}; then signals of the
     * terminal, such as ^C, reach the process directly.
     */
    public static List<String> prefix() {
        return prefix(KNOWN, System.getenv("PATH"));
    }

    /**
     * As {@link #prefix()}.
     *
     * @param known the paths where the command usually is
     * @param searchPath the value of {@code PATH}, for systems that keep each package in another folder; may be null
     */
    public static List<String> prefix(List<String> known, String searchPath) {
        for (String setsid : known) {
            if (Files.isExecutable(Path.of(setsid))) {
                return List.of(setsid);
            }
        }
        for (String directory : (searchPath == null ? "" : searchPath).split(":")) {
            if (directory.isEmpty()) {
                continue; // an empty entry means the working directory by POSIX, from which no command is started
                // unasked
            }
            Path setsid = Path.of(directory, "setsid").toAbsolutePath();
            if (Files.isRegularFile(setsid) && Files.isExecutable(setsid)) {
                return List.of(setsid.toString());
            }
        }
        return List.of();
    }
}
