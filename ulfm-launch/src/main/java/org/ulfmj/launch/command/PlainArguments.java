package org.ulfmj.launch.command;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.ulfmj.launch.command.OptionModel.Entry;

/**
 * Reads a command line as nearly all are written: options by their names, each with its values behind it, then the
 * command. All that is not so plain it leaves to {@link AnyArguments}, which reads everything and knows what to say of
 * mistakes, but which takes a third of the launcher's start to be made.
 */
final class PlainArguments implements Given {
    private final Map<String, List<String>> options;
    private final List<String> command;

    private PlainArguments(Map<String, List<String>> options, List<String> command) {
        this.options = options;
        this.command = command;
    }

    /** Reads plain words; null if one of them needs more than a look. */
    static PlainArguments read(String... arguments) {
        Map<String, Entry> known = byName();
        Map<String, List<String>> options = new HashMap<>();
        int next = 0;
        while (next < arguments.length && arguments[next].startsWith("-")) {
            Entry entry = known.get(arguments[next]);
            if (entry == null
                    || entry.name().equals(OptionModel.HELP)
                    || entry.name().equals(OptionModel.VERSION)) {
                return null;
            }
            next++;
            List<String> values = options.get(entry.name());
            if (values == null) {
                values = new ArrayList<>();
                options.put(entry.name(), values);
            } else if (!entry.isRepeatable()) {
                return null;
            }
            for (int i = 0; i < entry.values(); i++) {
                if (next == arguments.length || !isPlainValue(arguments[next])) {
                    return null;
                }
                values.add(arguments[next++]);
            }
        }
        return new PlainArguments(options, List.of(arguments).subList(next, arguments.length));
    }

    /** One that begins with a dash might be an option whose predecessor lacks its value. */
    private static boolean isPlainValue(String word) {
        return !word.isEmpty() && word.charAt(0) != '-' && word.charAt(0) != '"';
    }

    private static Map<String, Entry> byName() {
        Map<String, Entry> known = new HashMap<>();
        for (Entry entry : OptionModel.ENTRIES) {
            for (String name : entry.names()) {
                known.put(name, entry);
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
