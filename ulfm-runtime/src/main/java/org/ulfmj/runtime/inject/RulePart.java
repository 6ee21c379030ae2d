package org.ulfmj.runtime.inject;

import java.util.ArrayList;
import java.util.List;

/**
 * A part of a rule that knows where in the rule it stands, so that an error message can show the place.
 *
 * @param origin where the rule was written, for messages
 * @param rule the whole rule
 * @param from the index of the first character of the part
 * @param to the index behind its last character
 */
record RulePart(String origin, String rule, int from, int to) {
    static RulePart all(String origin, String rule) {
        return new RulePart(origin, rule, 0, rule.length()).trimmed();
    }

    String text() {
        return rule.substring(from, to);
    }

    int indexOf(String what) {
        return text().indexOf(what);
    }

    /** Returns the part before an index in this part. */
    RulePart before(int index) {
        return new RulePart(origin, rule, from, from + index).trimmed();
    }

    /** Returns the part from an index in this part on. */
    RulePart after(int index) {
        return new RulePart(origin, rule, from + index, to).trimmed();
    }

    /** Returns what stands inside the parentheses of {@code name(...)}; null if this part is not written so. */
    RulePart inside(String name) {
        return text().startsWith(name + "(") && text().endsWith(")")
                ? new RulePart(origin, rule, from + name.length() + 1, to - 1).trimmed()
                : null;
    }

    List<RulePart> split(char separator) {
        List<RulePart> parts = new ArrayList<>();
        int begin = from;
        for (int i = from; i <= to; i++) {
            if (i == to || rule.charAt(i) == separator) {
                parts.add(new RulePart(origin, rule, begin, i).trimmed());
                begin = i + 1;
            }
        }
        return parts;
    }

    private RulePart trimmed() {
        int first = from;
        int end = to;
        while (first < end && Character.isWhitespace(rule.charAt(first))) {
            first++;
        }
        while (end > first && Character.isWhitespace(rule.charAt(end - 1))) {
            end--;
        }
        return new RulePart(origin, rule, first, end);
    }

    long number(String what, long least, long most) {
        long number;
        try {
            number = Long.parseLong(text());
        } catch (NumberFormatException e) {
            throw refused(what + ": '" + text() + "' is no whole number");
        }
        if (number < least) {
            throw refused(what + ": " + number + " is too small, the least is " + least);
        }
        if (number > most) {
            throw refused(what + ": " + number + " is too large, the most is " + most);
        }
        return number;
    }

    InjectSyntaxException refused(String why) {
        return new InjectSyntaxException(origin, rule, from, why);
    }
}
