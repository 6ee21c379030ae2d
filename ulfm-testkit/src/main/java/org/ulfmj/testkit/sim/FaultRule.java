package org.ulfmj.testkit.sim;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.ulfmj.runtime.Durations;
import org.ulfmj.runtime.inject.InjectParser;
import org.ulfmj.runtime.inject.InjectRule;

/**
 * One rule of a fault plan as a user wrote it.
 *
 * <pre>
 * rule  := kill:rank=RANKS@WHEN                     as the launcher's --inject has it
 *        | vanish:rank=RANKS@WHEN                   a death that nobody is told of
 *        | crash:rank=RANKS@frame=K|random|random(K)  a death between two frames that the rank sends
 *        | pause:rank=RANKS[:for=DURATION]@WHEN     stands still
 *        | suspect:rank=RANKS[:by=R]@t=…            is declared failed though it lives
 *        | cut:rank=RANKS[:to=R][:for=DURATION]@t=… the link is cut, in both directions
 *        | random | random(K)                       faults of all kinds, at most K of them deaths
 * </pre>
 *
 * @param kind null for {@code random}
 * @param target whom and when
 * @param other the rank that {@code by} or {@code to} names; −1 to be drawn
 * @param durationNs 0 to be drawn
 * @param frames of a crash: the frame, or minus the bound to draw it from
 * @param deaths of {@code random}: at most
 */
record FaultRule(SimFault.Kind kind, InjectRule target, int other, long durationNs, long frames, int deaths) {
    private static final long DEFAULT_FRAMES = 1024;
    private static final String WHO = "faults";

    /** @throws IllegalArgumentException saying why it cannot be understood */
    static FaultRule parse(String text, int ranks) {
        if (text.equals("random")) {
            return new FaultRule(null, null, -1, 0, 0, ranks - 1);
        }
        if (text.startsWith("random(") && text.endsWith(")")) {
            int deaths = (int) number(text, text.substring("random(".length(), text.length() - 1), 0, ranks - 1L);
            return new FaultRule(null, null, -1, 0, 0, deaths);
        }
        int colon = text.indexOf(':');
        int at = text.indexOf('@');
        if (colon < 0 || at < colon) {
            throw refused(text, "a rule is written ACTION:rank=R@WHEN, as in kill:rank=2@op=send#3, or random");
        }
        SimFault.Kind kind = kind(text, text.substring(0, colon).trim());
        String[] parts = text.substring(colon + 1, at).trim().split(":");
        Map<String, String> options = new LinkedHashMap<>();
        for (int i = 1; i < parts.length; i++) {
            int equals = parts[i].indexOf('=');
            String key = equals < 0 ? parts[i] : parts[i].substring(0, equals);
            if (!allowed(kind).contains(key) || equals < 0) {
                throw refused(
                        text, "'" + parts[i] + "' is no option of " + kind.action() + "; known: " + allowed(kind));
            }
            options.put(key, parts[i].substring(equals + 1));
        }
        String when = text.substring(at + 1).trim();
        long frames = kind == SimFault.Kind.CRASH ? frames(text, when) : 0;
        InjectRule target = target(text, parts[0], frames == 0 ? when : "iter=0", ranks);
        boolean hasClock = kind == SimFault.Kind.SUSPECT || kind == SimFault.Kind.CUT;
        if (hasClock && !when.startsWith("t=")) {
            throw refused(text, kind.action() + " goes by the clock: write t=2ms or t=random");
        }
        String other = options.getOrDefault("by", options.get("to"));
        return new FaultRule(
                kind,
                target,
                other == null ? -1 : (int) number(text, other, 0, ranks - 1L),
                options.containsKey("for") ? Durations.parseNs("for", options.get("for")) : 0,
                frames,
                0);
    }

    private static SimFault.Kind kind(String text, String action) {
        for (SimFault.Kind kind : SimFault.Kind.values()) {
            if (kind.action().equals(action)) {
                return kind;
            }
        }
        throw refused(text, "unknown action '" + action + "'; known: kill, vanish, crash, suspect, pause, cut, random");
    }

    private static List<String> allowed(SimFault.Kind kind) {
        return switch (kind) {
            case SUSPECT -> List.of("by");
            case PAUSE -> List.of("for");
            case CUT -> List.of("to", "for");
            default -> List.of();
        };
    }

    /** A call of any kind with no number is one to be drawn: the first would always be Init's neighbour. */
    private static InjectRule target(String text, String ranksText, String when, int ranks) {
        String drawn = when.replace(" ", "").equals("op=*") ? "op=*#random(1000)" : when;
        String asKill = "kill:" + ranksText + "@" + drawn;
        try {
            return new InjectParser(WHO, asKill, ranks).rule();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(e.getMessage().replace("'" + asKill + "'", "'" + text + "'"));
        }
    }

    private static long frames(String text, String when) {
        if (!when.startsWith("frame=")) {
            throw refused(text, "a crash comes between two frames: write frame=7, frame=random or frame=random(100)");
        }
        String value = when.substring("frame=".length()).trim();
        if (value.equals("random")) {
            return -DEFAULT_FRAMES;
        }
        if (value.startsWith("random(") && value.endsWith(")")) {
            return -number(text, value.substring("random(".length(), value.length() - 1), 1, Integer.MAX_VALUE);
        }
        return number(text, value, 1, Integer.MAX_VALUE);
    }

    private static long number(String text, String value, long least, long most) {
        try {
            long number = Long.parseLong(value.trim());
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw refused(text, "'" + value + "' is no whole number");
        }
        throw refused(text, value.trim() + " must be from " + least + " to " + most);
    }

    private static IllegalArgumentException refused(String text, String why) {
        return new IllegalArgumentException(WHO + " '" + text + "': " + why);
    }
}
