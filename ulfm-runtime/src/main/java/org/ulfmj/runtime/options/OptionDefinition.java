package org.ulfmj.runtime.options;

import java.util.List;

/**
 * One option of the registry in {@link Options}.
 *
 * @param name as a system property, {@code ulfm.fd.timeout}
 * @param kind what the text of a value means
 * @param defaultText what the documentation gives as the default: a value, or the formula by which the default is
 *     derived
 * @param least smallest value of a duration or a limit that is on (nanoseconds), of a size or of a count
 * @param most largest value of the same kinds
 * @param choices the allowed texts of a {@link Kind#CHOICE}; the duration that {@code on} means, of a
 *     {@link Kind#LIMIT}; empty otherwise
 * @param meaning sentences for the documentation
 */
record OptionDefinition(
        String name, Kind kind, String defaultText, long least, long most, List<String> choices, String meaning) {

    /** The value of a {@link Kind#LIMIT} that is off. */
    static final long OFF = 0;

    private static final String OFF_TEXT = "off";
    private static final String ON_TEXT = "on";

    enum Kind {
        DURATION,
        /** A duration, or off. */
        LIMIT,
        BYTES,
        COUNT,
        CHOICE,
        DIRECTORY,
        /** Names or addresses of networks. */
        NETWORKS
    }

    static OptionDefinition duration(String name, String defaultText, long leastNs, long mostNs, String meaning) {
        return new OptionDefinition(name, Kind.DURATION, defaultText, leastNs, mostNs, List.of(), meaning);
    }

    /** A limit that is off by default. */
    static OptionDefinition limit(String name, String onText, long leastNs, long mostNs, String meaning) {
        return new OptionDefinition(name, Kind.LIMIT, OFF_TEXT, leastNs, mostNs, List.of(onText), meaning);
    }

    static OptionDefinition bytes(String name, String defaultText, long least, long most, String meaning) {
        return new OptionDefinition(name, Kind.BYTES, defaultText, least, most, List.of(), meaning);
    }

    static OptionDefinition count(String name, String defaultText, long least, long most, String meaning) {
        return new OptionDefinition(name, Kind.COUNT, defaultText, least, most, List.of(), meaning);
    }

    static OptionDefinition choice(String name, String defaultText, List<String> choices, String meaning) {
        return new OptionDefinition(name, Kind.CHOICE, defaultText, 0, 0, choices, meaning);
    }

    static OptionDefinition directory(String name, String defaultText, String meaning) {
        return new OptionDefinition(name, Kind.DIRECTORY, defaultText, 0, 0, List.of(), meaning);
    }

    static OptionDefinition networks(String name, String defaultText, String meaning) {
        return new OptionDefinition(name, Kind.NETWORKS, defaultText, 0, 0, List.of(), meaning);
    }

    /** Returns the name of the environment variable that sets the option: {@code ULFM_FD_TIMEOUT}. */
    String variable() {
        StringBuilder variable = new StringBuilder(name.length());
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            variable.append(c == '.' ? '_' : Character.toUpperCase(c));
        }
        return variable.toString();
    }

    /**
     * Returns the value that a text stands for: nanoseconds, bytes, a count, or the index of a choice. A limit that is
     * off is {@link #OFF}. Not for a directory or networks, whose value is a text ({@link #parseText}).
     *
     * @throws IllegalArgumentException if the text is not allowed, naming the option and the text
     */
    long parse(String text) {
        if (kind == Kind.LIMIT && text.trim().equals(OFF_TEXT)) {
            return OFF;
        }
        long value =
                switch (kind) {
                    case DURATION -> Durations.parseNs(name, text);
                    case LIMIT -> Durations.parseNs(name, text.trim().equals(ON_TEXT) ? choices.get(0) : text);
                    case BYTES -> parseBytes(text);
                    case COUNT -> parseCount(text, text.trim());
                    case CHOICE -> choices.indexOf(text.trim());
                    case DIRECTORY, NETWORKS -> throw new IllegalStateException(name + " is a text");
                };
        if (kind == Kind.CHOICE ? value < 0 : value < least || value > most) {
            throw new IllegalArgumentException(name + ": '" + text + "' is not allowed; allowed: " + range());
        }
        return value;
    }

    /**
     * Returns the path, or the networks, that a text stands for.
     *
     * @throws IllegalArgumentException naming the option, the text and what is allowed
     */
    String parseText(String text) {
        boolean isAllowed = kind == Kind.DIRECTORY ? text.startsWith("/") && text.indexOf('\n') < 0 : isNetworks(text);
        if (!isAllowed) {
            throw new IllegalArgumentException(name + ": '" + text + "' is not allowed; allowed: " + range());
        }
        return text;
    }

    private static boolean isNetworks(String text) {
        boolean isAllowed = !text.isEmpty();
        for (int i = 0; i < text.length(); i++) {
            char letter = text.charAt(i);
            isAllowed &= Character.isLetterOrDigit(letter) || ".:,/-_@".indexOf(letter) >= 0;
        }
        return isAllowed;
    }

    /** Returns the allowed values in words, for documentation and messages. */
    String range() {
        return switch (kind) {
            case CHOICE -> String.join(" | ", choices);
            case DURATION -> Durations.text(least) + " to " + Durations.text(most);
            case LIMIT ->
                OFF_TEXT + " | " + ON_TEXT + " (" + choices.get(0) + ") | " + Durations.text(least) + " to "
                        + Durations.text(most);
            case BYTES -> bytesText(least) + " to " + bytesText(most);
            case COUNT -> least + " to " + most;
            case DIRECTORY -> "an absolute path";
            case NETWORKS -> "names of interfaces, addresses, or networks as 10.0.0.0/8, with commas";
        };
    }

    /** Returns a value as the user would write it. */
    String text(long value) {
        return switch (kind) {
            case CHOICE -> choices.get((int) value);
            case DURATION -> Durations.text(value);
            case LIMIT -> value == OFF ? OFF_TEXT : Durations.text(value);
            case BYTES -> bytesText(value);
            case COUNT -> Long.toString(value);
            case DIRECTORY, NETWORKS -> throw new IllegalStateException(name + " is a text");
        };
    }

    private long parseBytes(String text) {
        String trimmed = text.trim();
        if (trimmed.endsWith("GiB")) {
            return shifted(text, trimmed, 30);
        }
        if (trimmed.endsWith("MiB")) {
            return shifted(text, trimmed, 20);
        }
        return trimmed.endsWith("KiB") ? shifted(text, trimmed, 10) : parseCount(text, trimmed);
    }

    private long shifted(String text, String trimmed, int shift) {
        long count = parseCount(text, trimmed.substring(0, trimmed.length() - 3).trim());
        return count > Long.MAX_VALUE >> shift ? Long.MAX_VALUE : count << shift;
    }

    private long parseCount(String text, String digits) {
        try {
            return Long.parseLong(digits);
        } catch (NumberFormatException e) {
            String form = kind == Kind.BYTES ? "a number of bytes, KiB, MiB or GiB" : "a whole number";
            throw new IllegalArgumentException(name + ": '" + text + "' is not " + form + "; allowed: " + range(), e);
        }
    }

    private static String bytesText(long bytes) {
        if (bytes != 0 && bytes % (1L << 30) == 0) {
            return (bytes >> 30) + "GiB";
        }
        if (bytes != 0 && bytes % (1L << 20) == 0) {
            return (bytes >> 20) + "MiB";
        }
        return bytes != 0 && bytes % (1L << 10) == 0 ? (bytes >> 10) + "KiB" : Long.toString(bytes);
    }
}
