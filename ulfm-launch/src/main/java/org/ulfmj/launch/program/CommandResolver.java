package org.ulfmj.launch.program;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.ulfmj.command.UsageException;
import org.ulfmj.protocol.NearestName;

/**
 * Turns the words after the options into the command to be executed: a Java program, one of our examples, or any other
 * command.
 */
public final class CommandResolver {
    private static final String EXAMPLES = "examples";

    private final Installation installation;
    private final Path workingDirectory;
    private final JavaCommand javaCommand;
    private final ExecutableSearch search;

    /** @param environment of the processes */
    public CommandResolver(Installation installation, Path workingDirectory, Map<String, String> environment) {
        this.installation = installation;
        this.workingDirectory = workingDirectory;
        this.javaCommand = new JavaCommand(installation.jar(), workingDirectory, environment);
        this.search = new ExecutableSearch(environment.get("PATH"), workingDirectory);
    }

    /** @throws UsageException if there is no such command or example, or if it cannot be executed */
    public StartCommand resolve(List<String> words) {
        String first = words.get(0);
        if (first.equals(EXAMPLES)) {
            return javaCommand.withOurJar(installation.java(), example(words));
        }
        if (JavaCommand.isJava(first)) {
            // The word {@code java} stands for the virtual machine that mpiexec was started with, which is recent
            // enough. The first one in PATH need not be.
            Path java = first.equals("java") ? installation.java() : search.find(first);
            return javaCommand.withOurJar(java, javaArguments(words));
        }
        List<String> command = new ArrayList<>(words);
        command.set(0, search.find(first).toString());
        return new StartCommand(List.copyOf(command), javaCommand.environmentWithOurJar(), workingDirectory, false);
    }

    /** The system properties that a Java command sets with {@code -D}; empty for other commands. */
    public Map<String, String> systemProperties(List<String> words) {
        return JavaCommand.isJava(words.get(0)) ? javaArguments(words).systemProperties() : Map.of();
    }

    private JavaArguments javaArguments(List<String> words) {
        return JavaArguments.parse(words.subList(1, words.size()), workingDirectory);
    }

    private JavaArguments example(List<String> words) {
        List<String> known = installation.exampleNames();
        if (words.size() < 2) {
            throw new UsageException("which example? There are " + String.join(", ", known));
        }
        String name = words.get(1);
        if (!known.contains(name)) {
            String meant = NearestName.question(name, known);
            throw new UsageException("there is no example " + name
                    + (meant.isEmpty() ? "; there are " + String.join(", ", known) : meant));
        }
        return new JavaArguments(
                List.of(),
                installation.examples().toString(),
                null,
                JavaArguments.Form.MAIN_CLASS,
                EXAMPLES + "." + name,
                List.copyOf(words.subList(2, words.size())));
    }
}
