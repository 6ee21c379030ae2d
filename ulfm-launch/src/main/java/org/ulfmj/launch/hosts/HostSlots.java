package org.ulfmj.launch.hosts;

/**
 * A host with room for processes, as one place of a command line, a file or a batch system has it.
 *
 * @param name of the host, or its address without brackets
 * @param slots how many processes it has room for; 1 where no number is written
 * @param most how many processes it may have even where hosts take more than they have slots
 * @param isNumbered whether the number of slots is written
 */
public record HostSlots(String name, int slots, int most, boolean isNumbered) {
    /** The most slots that count per host: more than any job has, and few enough that their sum is a valid int. */
    public static final int MOST_SLOTS = 100_000;

    /** The most hosts that a job may have: one for each of its processes. */
    public static final int MOST_HOSTS = 4096;

    private static final int LONGEST_NAME = 255;
    private static final String SIGNS = "._:%@-";

    /** A host with as many slots as are written. */
    static HostSlots numbered(String name, int slots) {
        return new HostSlots(name, slots, MOST_SLOTS, true);
    }

    /**
     * Reads a name that a number of slots may follow: {@code node1}, {@code node1:4}, {@code 10.0.0.1:4},
     * {@code fd00::1} or {@code [fd00::1]:4}.
     *
     * @param where option or file and line, for errors
     * @throws IllegalArgumentException if it is not of this form
     */
    static HostSlots of(String where, String text) {
        int bracket = text.startsWith("[") ? text.indexOf(']') : -1;
        String name = text;
        String rest = "";
        if (bracket > 0) {
            name = text.substring(1, bracket);
            rest = text.substring(bracket + 1);
        } else if (text.indexOf(':') == text.lastIndexOf(':') && text.indexOf(':') >= 0) {
            name = text.substring(0, text.indexOf(':'));
            rest = text.substring(text.indexOf(':'));
        }
        requireName(where, name);
        if (rest.isEmpty()) {
            return new HostSlots(name, 1, MOST_SLOTS, false);
        }
        return numbered(name, slots(where, rest.startsWith(":") ? rest.substring(1) : rest));
    }

    /**
     * The number of slots in a text.
     *
     * @throws IllegalArgumentException if there is none, or none is meant by it
     */
    static int slots(String where, String text) {
        int slots = -1;
        if (!text.isEmpty() && text.chars().allMatch(c -> c >= '0' && c <= '9')) {
            slots = text.length() > 9 ? MOST_SLOTS : Math.min(Integer.parseInt(text), MOST_SLOTS);
        }
        if (slots < 1) {
            throw new IllegalArgumentException(
                    where + ": '" + text + "' is no number of slots; allowed: 1 or more, and nothing for 1");
        }
        return slots;
    }

    /**
     * Throws unless a text may be the name or address of a host. A name goes into command lines of others, where one
     * that begins with a dash would be an option.
     */
    static void requireName(String where, String name) {
        requireShort(where, name);
        boolean isName = !name.isEmpty() && name.charAt(0) != '-';
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            isName &= c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || SIGNS.indexOf(c) >= 0;
        }
        if (!isName) {
            throw new IllegalArgumentException(where + ": '" + name + "' is no name of a host");
        }
    }

    /** Throws if a text is longer than any name. */
    static void requireShort(String where, String name) {
        if (name.length() > LONGEST_NAME) {
            throw new IllegalArgumentException(where + ": a name of a host is longer than " + LONGEST_NAME);
        }
    }
}
