package org.ulfmj.launch.command;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.ulfmj.command.CommandOption;
import org.ulfmj.command.Given;

/**
 * Reads a command line of the common form: options by their names, each followed by its values, then the command. Any
 * other form is left to {@link AnyArguments}. That class reads every command line and can explain mistakes, but loading
 * it takes longer.
 */
final class PlainArguments implements Given {
    private final Map<String, List<String>> options;
    private final List<String> command;

    private PlainArguments(Map<String, List<String>> options, List<String> command) {
        this.options = options;
        this.command = command;
    }

    /** Reads the words; null if one of them is not of the common form, or asks for help or the version. */
    static PlainArguments read(String... arguments) {
        Map<String, CommandOption> known = byName();
        Map<String, List<String>> options = new HashMap<>();
        int next = 0;
        while (next < arguments.length && arguments[next].startsWith("-")) {
            CommandOption option = known.get(arguments[next]);
            if (option == null
                    || option.name().equals(OptionModel.HELP)
                    || option.name().equals(OptionModel.VERSION)) {
                return null;
            }
            next++;
            List<String> values = options.get(option.name());
            if (values == null) {
                values = new ArrayList<>();
                options.put(option.name(), values);
            } else if (!option.isRepeatable()) {
                return null;
            }
            for (int i = 0; i < option.values(); i++) {
                if (next == arguments.length || !isPlainValue(arguments[next])) {
                    return null;
                }
                values.add(arguments[next++]);
            }
        }
        return new PlainArguments(options, List.of(arguments).subList(next, arguments.length));
    }

    /**
     * Whether a word is certainly the value of an option. A word that begins with a dash might instead be the next
     * option, after an option whose value is missing.
     */
    private static boolean isPlainValue(String word) {
        return !word.isEmpty() && word.charAt(0) != '-' && word.charAt(0) != '"';
    }

    private static Map<String, CommandOption> byName() {
        Map<String, CommandOption> known = new HashMap<>();
        for (CommandOption option : OptionModel.ENTRIES) {
            for (String name : option.names()) {
                known.put(name, option);
            }
        }
        return known;
    }

    @Override
    public boolean has(String option) {
        return options.containsKey(option);
    }

    @Override
    public String text(String option) {
        List<String> values = options.get(option);
        return values == null ? null : values.get(0);
    }

    @Override
    public List<String> texts(String option) {
        return options.getOrDefault(option, List.of());
    }

    @Override
    public List<String> command() {
        return command;
    }
}
