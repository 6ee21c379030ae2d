package org.ulfmj.launch.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The hosts that a command line names. A job runs on the host of its launcher, so scripts that name this one are right, and
 * others must hear at once that their processes would not be where they are meant to be.
 */
final class Hosts {
    private static final Path OWN_NAME = Path.of("/proc/sys/kernel/hostname");

    private final Path workingDirectory;

    /** Read only if it is needed. */
    private String ownName;

    /** @param workingDirectory to which names of files are relative */
    Hosts(Path workingDirectory) {
        this.workingDirectory = workingDirectory;
    }

    /**
     * Looks at the value of {@code --host}: names, each perhaps with a number of slots, as in {@code localhost:4,localhost}.
     *
     * @throws UsageException if one of them is not this host
     */
    void check(String option, String names) {
        for (String name : names.split(",")) {
            checkOne(option + " " + names, name.trim());
        }
    }

    /**
     * Looks at the file of {@code --hostfile}: a name begins each line, and {@code #} what is none.
     *
     * @throws UsageException if the file cannot be read, or one of the names is not this host
     */
    void checkFile(String option, String file) {
        List<String> lines;
        try {
            lines = Files.readAllLines(workingDirectory.resolve(file));
        } catch (IOException e) {
            throw new UsageException(option + ": cannot read " + workingDirectory.resolve(file));
        }
        for (String line : lines) {
            int comment = line.indexOf('#');
            String text = (comment < 0 ? line : line.substring(0, comment)).trim();
            if (!text.isEmpty()) {
                checkOne(option + " " + file, text.split("\\s+")[0]);
            }
        }
    }

    private void checkOne(String where, String name) {
        int colon = name.indexOf(':');
        if (!isThisHost(colon < 0 ? name : name.substring(0, colon))) {
            throw new UsageException(where + ": " + name + " is not this host (" + ownName()
                    + "), and a job runs on one host: there are no jobs on several yet");
        }
    }

    private boolean isThisHost(String name) {
        String own = ownName();
        return name.equals("localhost")
                || name.startsWith("127.")
                || name.equals(own)
                || own.startsWith(name + ".")
                || name.startsWith(own + ".");
    }

    private String ownName() {
        if (ownName == null) {
            try {
                ownName = Files.readString(OWN_NAME).trim();
            } catch (IOException noProc) {
                ownName = "localhost";
            }
        }
        return ownName;
    }
}
