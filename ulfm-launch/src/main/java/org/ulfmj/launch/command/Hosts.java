package org.ulfmj.launch.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The hosts that a command line names. A job runs on the host of its launcher. A script that names this host is right,
 * and a user that names another one must be told at once that the processes would not run there.
 */
final class Hosts {
    private static final Path OWN_NAME = Path.of("/proc/sys/kernel/hostname");

    /** The most slots that count per host: more than any job may have, and few enough that their sum is a valid int. */
    private static final int MOST_SLOTS = 100_000;

    private final Path workingDirectory;

    /** The name of this host, read when it is first needed; null before. */
    private String ownName;

    /** @param workingDirectory to which names of files are relative */
    Hosts(Path workingDirectory) {
        this.workingDirectory = workingDirectory;
    }

    /**
     * Checks the value of {@code --host}: names, each perhaps with a number of slots, as in
     * {@code localhost:4,localhost}.
     *
     * @return how many slots the hosts have
     * @throws UsageException if a name is not that of this host
     */
    int check(String option, String names) {
        int slots = 0;
        for (String name : names.split(",")) {
            checkOne(option + " " + names, name.trim());
            int colon = name.indexOf(':');
            slots += slots(colon < 0 ? "" : name.substring(colon + 1).trim());
        }
        return slots;
    }

    /** The number of slots in a text. 1 if the text is no number, as in other launchers. */
    private static int slots(String text) {
        try {
            return Math.max(1, Math.min(Integer.parseInt(text), MOST_SLOTS));
        } catch (NumberFormatException none) {
            return 1;
        }
    }

    /**
     * Checks the file of {@code --hostfile}: each line begins with a name, and {@code #} begins a comment.
     *
     * @return how many slots the hosts have
     * @throws UsageException if the file cannot be read, or a name is not that of this host
     */
    int checkFile(String option, String file) {
        List<String> lines;
        try {
            lines = Files.readAllLines(workingDirectory.resolve(file));
        } catch (IOException e) {
            throw new UsageException(option + ": cannot read " + workingDirectory.resolve(file));
        }
        int slots = 0;
        for (String line : lines) {
            int comment = line.indexOf('#');
            String text = (comment < 0 ? line : line.substring(0, comment)).trim();
            if (!text.isEmpty()) {
                String[] words = text.split("\\s+");
                checkOne(option + " " + file, words[0]);
                slots += slotsOf(words);
            }
        }
        return slots;
    }

    /** The number of slots in a line as {@code node1 slots=4} or {@code node1:4}. */
    private static int slotsOf(String... words) {
        int colon = words[0].indexOf(':');
        for (String word : words) {
            if (word.startsWith("slots=")) {
                return slots(word.substring("slots=".length()));
            }
        }
        return slots(colon < 0 ? "" : words[0].substring(colon + 1));
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
            ownName = ownHostName();
        }
        return ownName;
    }

    /** The name of this host. */
    static String ownHostName() {
        try {
            return Files.readString(OWN_NAME).trim();
        } catch (IOException noProc) {
            return "localhost";
        }
    }
}
