package org.ulfmj.launch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Reads the page docs/use/failures.md: its command lines with their answers, and the texts in its tables. */
final class FailuresPage {
    private static final Path FILE = Path.of("..", "docs", "use", "failures.md");
    private static final String COMMAND = "    $ mpiexec ";
    private static final String ANSWER = "    mpiexec: ";
    private static final Pattern CODE = Pattern.compile("\\s+# (\\d+)$");
    private static final Pattern TEXT = Pattern.compile("^\\| `([^`]+)`.*");

    private FailuresPage() {}

    /**
     * A command line of the page, with the exit code and the message that it gives.
     *
     * @param answer the message, with {@code …} for the parts that differ from case to case
     */
    record Answered(List<String> words, int code, String answer) {
        /** Whether a line is this answer. */
        boolean fits(String line) {
            return Pattern.compile(Pattern.quote(answer).replace("…", "\\E.+\\Q"), Pattern.DOTALL)
                    .matcher(line)
                    .matches();
        }

        @Override
        public String toString() {
            return String.join(" ", words);
        }
    }

    static String text() {
        try {
            return Files.readString(FILE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static List<Answered> commands() {
        List<Answered> commands = new ArrayList<>();
        List<String> lines = text().lines().toList();
        for (int i = 0; i + 1 < lines.size(); i++) {
            if (lines.get(i).startsWith(COMMAND) && lines.get(i + 1).startsWith(ANSWER)) {
                String command = lines.get(i).substring(COMMAND.length());
                Matcher code = CODE.matcher(command);
                boolean hasCode = code.find();
                commands.add(new Answered(
                        List.of((hasCode ? command.substring(0, code.start()) : command).split(" ")),
                        hasCode ? Integer.parseInt(code.group(1)) : 2,
                        lines.get(i + 1).substring(ANSWER.length())));
            }
        }
        return commands;
    }

    /** The message texts that the page's tables explain: what stands in backquotes at the beginning of a row. */
    static List<String> texts() {
        return text().lines()
                .map(TEXT::matcher)
                .filter(Matcher::matches)
                .map(row -> row.group(1))
                .collect(Collectors.toList());
    }
}
