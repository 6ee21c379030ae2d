package org.ulfmj.launch.program;

import java.util.ArrayList;
import java.util.List;

/** Words as a shell reads them. */
public final class ShellWords {
    private ShellWords() {}

    /** Joins words into one line for a shell, each in quotes if it needs them. */
    public static String quoted(List<String> words) {
        List<String> quoted = new ArrayList<>();
        words.forEach(word -> quoted.add(quoted(word)));
        return String.join(" ", quoted);
    }

    public static String quoted(String word) {
        return word.matches("[A-Za-z0-9_./:=,+@%-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}
