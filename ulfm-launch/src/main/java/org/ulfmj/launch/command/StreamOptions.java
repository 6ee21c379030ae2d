package org.ulfmj.launch.command;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.ulfmj.command.Given;
import org.ulfmj.command.UsageException;

/**
 * The user's options about the streams of processes. A launcher with a command line that says nothing about streams
 * does not load this class.
 *
 * @param files where output goes instead of the launcher's own stdout and stderr; null if it goes to no files
 * @param isCopied whether output that goes to files goes to the launcher's own streams too
 * @param isMerged whether stderr of a process goes where its stdout goes
 * @param isTagged whether each line begins with its rank
 * @param isTimed whether each line begins with the time
 * @param reader rank that reads the launcher's stdin, or {@link #ALL} or {@link #NONE}
 */
public record StreamOptions(
        FilePattern files, boolean isCopied, boolean isMerged, boolean isTagged, boolean isTimed, int reader) {
    /** All ranks read the launcher's stdin. */
    public static final int ALL = -1;
    /** No rank reads the launcher's stdin. */
    public static final int NONE = -2;

    private static final String DIRECTORY = "dir=";
    private static final String FILE = "file=";

    /** Reads the options of a command line. */
    static StreamOptions of(Given given, int size, Path launchers) {
        boolean isMerged = given.has(OptionModel.MERGE_OUTPUT);
        boolean isTagged = given.has(OptionModel.TAG_OUTPUT);
        boolean isTimed = given.has(OptionModel.TIME_OUTPUT);
        FilePattern files = files(given, size, launchers);
        String output = given.text(OptionModel.OUTPUT);
        for (String word : output == null ? new String[0] : output.split(",")) {
            if (word.startsWith(DIRECTORY) || word.startsWith(FILE)) {
                requireOnly(files, OptionModel.OUTPUT + " " + word);
                boolean isDirectory = word.startsWith(DIRECTORY);
                String name = withoutQualifiers(OptionModel.OUTPUT + " " + word, word.substring(word.indexOf('=') + 1));
                files = isDirectory
                        ? FilePattern.inDirectory(launchers.resolve(name), size)
                        : FilePattern.beginningWith(launchers.resolve(name), size);
                continue;
            }
            switch (word) {
                case "tag", "tag-detailed", "tag-fullname", "rank" -> isTagged = true;
                case "timestamp" -> isTimed = true;
                case "merge-stderr-to-stdout" -> isMerged = true;
                default ->
                    throw new UsageException(OptionModel.OUTPUT + ": '" + word + "' is not allowed; allowed: tag |"
                            + " timestamp | merge-stderr-to-stdout | dir=DIR | file=NAME, several with commas");
            }
        }
        boolean isCopied = given.has(OptionModel.TEE);
        if (isCopied && files == null) {
            throw new UsageException(OptionModel.TEE + ": there are no files; write " + OptionModel.OUTPUT_DIRECTORY
                    + " DIR too, or | tee FILE behind the command");
        }
        return new StreamOptions(files, isCopied, isMerged, isTagged, isTimed, reader(given, size));
    }

    private static FilePattern files(Given given, int size, Path launchers) {
        FilePattern files = null;
        String directory = given.text(OptionModel.OUTPUT_DIRECTORY);
        if (directory != null) {
            String name = withoutQualifiers(OptionModel.OUTPUT_DIRECTORY + " " + directory, directory);
            files = FilePattern.inDirectory(launchers.resolve(name), size);
        }
        String out = given.text(OptionModel.OUT_PATTERN);
        String err = given.text(OptionModel.ERR_PATTERN);
        if (out != null || err != null) {
            requireOnly(files, out != null ? OptionModel.OUT_PATTERN : OptionModel.ERR_PATTERN);
            files = FilePattern.of(
                    out == null ? null : launchers.resolve(out), err == null ? null : launchers.resolve(err));
        }
        return files;
    }

    private static void requireOnly(FilePattern before, String option) {
        if (before != null) {
            throw new UsageException(
                    option + ": another option names the files of the output already; write one of them");
        }
    }

    /**
     * A file name without Open MPI's qualifiers {@code :nocopy} and {@code :nojobid}, which ask for what is the default
     * here. Throws at any other qualifier.
     */
    private static String withoutQualifiers(String option, String name) {
        int colon = name.indexOf(':');
        String path = colon < 0 ? name : name.substring(0, colon);
        if (path.isEmpty()) {
            throw new UsageException(option + ": lacks a name; write a directory or file behind it");
        }
        for (String qualifier :
                colon < 0 ? new String[0] : name.substring(colon + 1).split("[,:]")) {
            if (!List.of("nocopy", "nojobid").contains(qualifier.toLowerCase(Locale.ROOT))) {
                throw new UsageException(
                        option + ": ':" + qualifier + "' is not allowed; allowed: :nocopy | :nojobid, which are the"
                                + " default here (--tee copies)");
            }
        }
        return path;
    }

    private static int reader(Given given, int size) {
        String text = given.text(OptionModel.STDIN);
        if (text == null) {
            return 0;
        }
        switch (text) {
            case "all":
                return ALL;
            case "none":
                return NONE;
            default:
                try {
                    int rank = Integer.parseInt(text);
                    if (rank >= 0 && rank < size) {
                        return rank;
                    }
                } catch (NumberFormatException e) {
                    // The exception below says what is allowed.
                }
                throw new UsageException(OptionModel.STDIN + ": '" + text
                        + "' is not allowed; allowed: all | none | a rank," + " 0 to " + (size - 1));
        }
    }
}
