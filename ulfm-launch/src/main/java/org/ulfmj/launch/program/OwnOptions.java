package org.ulfmj.launch.program;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The options that the user gave to the virtual machines of a job: words of the command, and environment variables that
 * virtual machines read. The launcher leaves out an option of its own where the user has set one of that kind.
 *
 * @param command that each process executes
 * @param environment of the launcher, which processes inherit
 */
public record OwnOptions(StartCommand command, Map<String, String> environment) {
    private static final List<String> VARIABLES = List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS");

    /** Whether a word of the command, even an argument of the program, or an option in a variable begins with one. */
    public boolean isAny(List<String> beginnings) {
        List<String> inVariables = inVariables();
        for (String beginning : beginnings) {
            for (String word : command.words()) {
                if (word.startsWith(beginning)) {
                    return true;
                }
            }
            for (String option : inVariables) {
                if (option.startsWith(beginning)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** The options in variables. */
    public List<String> inVariables() {
        List<String> options = new ArrayList<>();
        for (String variable : VARIABLES) {
            add(environment.get(variable), options);
            add(command.environment().get(variable), options);
        }
        return options;
    }

    /**
     * Splits a text into options at white space, and removes quotes at the beginning of an option, which a virtual
     * machine would also remove.
     */
    private static void add(String text, List<String> options) {
        if (text != null) {
            for (String word : text.trim().split("\\s+")) {
                options.add(word.replaceFirst("^[\"']+", ""));
            }
        }
    }
}
