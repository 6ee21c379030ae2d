package org.ulfmj.launch.hosts;

import java.util.ArrayList;
import java.util.List;

/**
 * Expands the names of nodes as Slurm shortens them: {@code n[1-3,7],m01} are n1, n2, n3, n7 and m01. A name may have
 * several brackets, of which the last one varies fastest, and numbers keep their leading zeros.
 */
public final class NodeList {
    private final String where;
    private final String text;
    /** For errors: which variable has which text. */
    private final String which;

    private final List<String> names = new ArrayList<>();

    private NodeList(String where, String text) {
        this.where = where;
        this.text = text;
        this.which = where + " " + text;
    }

    /**
     * @param where the name of the environment variable, for messages of errors
     * @throws IllegalArgumentException if the text is not of this form, or names no node, or more nodes than a job may
     *     have
     */
    public static List<String> parse(String where, String text) {
        NodeList list = new NodeList(where, text);
        int from = 0;
        boolean isInside = false;
        for (int i = 0; i <= text.length(); i++) {
            char c = i == text.length() ? ',' : text.charAt(i);
            if (c == '[' && isInside || c == ']' && !isInside || i == text.length() && isInside) {
                throw list.refused();
            }
            isInside = isInside ? c != ']' : c == '[';
            if (c == ',' && !isInside) {
                list.expand("", text.substring(from, i));
                from = i + 1;
            }
        }
        return list.names;
    }

    /** Adds all names that the rest, with its brackets, gives behind this beginning. */
    private void expand(String beginning, String rest) {
        int open = rest.indexOf('[');
        if (open < 0) {
            String name = beginning + rest;
            HostSlots.requireName(which, name);
            if (names.size() == HostSlots.MOST_HOSTS) {
                throw new IllegalArgumentException(which + ": more than " + names.size() + " hosts");
            }
            names.add(name);
            return;
        }
        int close = rest.indexOf(']');
        String before = beginning + rest.substring(0, open);
        // This also bounds the depth of calls.
        HostSlots.requireShort(which, before);
        for (String range : rest.substring(open + 1, close).split(",", -1)) {
            int dash = range.indexOf('-');
            String least = dash < 0 ? range : range.substring(0, dash);
            int first = number(least);
            int last = dash < 0 ? first : number(range.substring(dash + 1));
            if (last < first) {
                throw refused();
            }
            for (int i = first; i <= last; i++) {
                String digits = Integer.toString(i);
                String zeros = "0".repeat(Math.max(0, least.length() - digits.length()));
                expand(before + zeros + digits, rest.substring(close + 1));
            }
        }
    }

    private int number(String digits) {
        if (digits.isEmpty() || digits.length() > 9 || !digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
            throw refused();
        }
        return Integer.parseInt(digits);
    }

    private IllegalArgumentException refused() {
        return new IllegalArgumentException(
                where + " '" + text + "' is no list of nodes; allowed: names as n[1-3,07],m1, with commas");
    }
}
