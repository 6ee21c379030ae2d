package org.ulfmj.check.command;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.ulfmj.protocol.NearestName;
import org.ulfmj.sim.SeedRange;

/**
 * The options of one command of {@code bin/ulfm-sim}: {@code --name value} or {@code --name=value}. Anything wrong with
 * them is an {@link IllegalArgumentException} that names the option, its value and the allowed values.
 */
public final class CommandOptions {
    private final SortedMap<String, String> values = new TreeMap<>();

    /**
     * Reads the arguments that follow the command's name.
     *
     * @param known the options of the command, with their dashes
     */
    public CommandOptions(String[] args, List<String> known) {
        int next = 1;
        while (next < args.length) {
            String name = args[next++];
            int equals = name.indexOf('=');
            String value = equals < 0 ? null : name.substring(equals + 1);
            name = equals < 0 ? name : name.substring(0, equals);
            if (!known.contains(name)) {
                throw new IllegalArgumentException(name + ": " + args[0] + " has no such option; the nearest is "
                        + NearestName.to(name, known) + ", all are " + String.join(" ", known));
            }
            if (value == null && next == args.length) {
                throw new IllegalArgumentException(name + " wants a value");
            }
            if (values.putIfAbsent(name, value == null ? args[next++] : value) != null) {
                throw new IllegalArgumentException(name + " is given twice");
            }
        }
    }

    public String get(String option, String otherwise) {
        return values.getOrDefault(option, otherwise);
    }

    /** The value of an option that must be given. */
    public String required(String option) {
        String value = values.get(option);
        if (value == null) {
            throw new IllegalArgumentException(option + " is missing");
        }
        return value;
    }

    /** The value of an option that is a range of numbers. */
    public SeedRange range(String option, String otherwise) {
        return SeedRange.parse(option, get(option, otherwise));
    }

    /** The value of an option that is a whole number between two bounds, both included. */
    public int number(String option, int otherwise, int least, int most) {
        String text = get(option, Integer.toString(otherwise));
        try {
            int number = Integer.parseInt(text);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // The message below says all there is to say.
        }
        throw new IllegalArgumentException(option + " " + text + ": wants a number from " + least + " to " + most);
    }
}
