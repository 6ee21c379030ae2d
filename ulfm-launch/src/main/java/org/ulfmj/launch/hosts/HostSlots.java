package org.ulfmj.launch.hosts;

/**
 * A host and its slots, as one entry of a command line, of a file or of a batch system gives them.
 *
 * @param name of the host, or its address without brackets
 * @param slots how many processes the host has room for; 1 where the entry has no number
 * @param most how many processes the host may have at most where hosts may get more processes than slots
 * @param isNumbered whether the entry has a number of slots
 */
public record HostSlots(String name, int slots, int most, boolean isNumbered) {
    /** The most slots that count per host: more than any job has, and few enough that their sum is a valid int. */
    public static final int MOST_SLOTS = 100_000;

    /** The most hosts that a job may have: one for each of its processes. */
    public static final int MOST_HOSTS = 4096;

    private static final int LONGEST_NAME = 255;
    private static final String SIGNS = "._:%@-";

    /** A host with a number of slots that was given. */
    static HostSlots numbered(String name, int slots) {
        return new HostSlots(name, slots, MOST_SLOTS, true);
    }

    /**
     * Parses the name of a host, which a number of slots may follow: {@code node1}, {@code node1:4},
     * {@code 10.0.0.1:4}, {@code fd00::1} or {@code [fd00::1]:4}.
     *
     * @param where option or file and line, for messages of errors
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
        if (!rest.startsWith(":")) {
            throw new IllegalArgumentException(
                    where + ": '" + rest + "' behind the bracket is not allowed; allowed: :SLOTS, and nothing for 1");
        }
        return numbered(name, slots(where, rest.substring(1)));
    }

    /**
     * Parses a number of slots; a larger number than {@link #MOST_SLOTS} becomes this.
     *
     * @throws IllegalArgumentException if the text is no number, or 0
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
     * Throws unless a text may be the name or address of a host. The name becomes an argument of other commands, such
     * as ssh, where one that begins with a dash would be taken for an option.
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

    /** Throws if a text is longer than the longest name of a host that is allowed. */
    static void requireShort(String where, String name) {
        if (name.length() > LONGEST_NAME) {
            throw new IllegalArgumentException(where + ": a name of a host is longer than " + LONGEST_NAME);
        }
    }
}
