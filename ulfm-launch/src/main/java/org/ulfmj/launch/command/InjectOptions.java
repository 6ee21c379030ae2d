package org.ulfmj.launch.command;

import java.nio.file.Files;
import java.nio.file.Path;
import org.ulfmj.command.Given;
import org.ulfmj.command.UsageException;

/**
 * Files and checks of fault injection, besides the faults themselves.
 *
 * @param planFile where the drawn plan is written; null for nowhere
 * @param logFile where each fault is logged; null for nowhere
 * @param reports whether a report is printed at the end
 * @param expected what the job must show; null for nothing
 */
public record InjectOptions(String planFile, String logFile, boolean reports, Expectations expected) {
    /** Returns the files and checks of fault injection that the command line asks for; null if it asks for none. */
    static InjectOptions of(Given given, int size) {
        String expected = given.text(OptionModel.EXPECT);
        InjectOptions options = new InjectOptions(
                writable(given, OptionModel.INJECT_PLAN),
                writable(given, OptionModel.INJECT_LOG),
                given.has(OptionModel.INJECT_REPORT),
                expected == null ? null : Expectations.of(expected, size));
        return options.isNothing() ? null : options;
    }

    /**
     * The file that an option names; null if the option is not given. Throws if its directory does not exist or cannot
     * be written to.
     */
    private static String writable(Given given, String option) {
        String file = given.text(option);
        if (file != null) {
            Path directory = Path.of(file).toAbsolutePath().getParent();
            if (directory == null || !Files.isDirectory(directory) || !Files.isWritable(directory)) {
                throw new UsageException(option + ": cannot write " + file);
            }
        }
        return file;
    }

    private boolean isNothing() {
        return planFile == null && logFile == null && !reports && expected == null;
    }

    /** Whether processes tell of failures and recoveries. */
    public boolean wantsMarks() {
        return reports || logFile != null || expected != null;
    }
}
