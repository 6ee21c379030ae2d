package org.ulfmj.testkit.sim.fault;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.ulfmj.runtime.inject.InjectParser;
import org.ulfmj.runtime.inject.InjectRule;
import org.ulfmj.runtime.inject.InjectSyntaxException;
import org.ulfmj.runtime.inject.Moment;
import org.ulfmj.runtime.options.Durations;

/**
 * One rule of a fault plan as a user wrote it.
 *
 * <pre>
 * rule  := kill:rank=RANKS[,inc=I]@WHEN             as the launcher's --inject has it, but no event or byte
 *        | vanish:rank=RANKS[,inc=I]@WHEN           a death of which no rank is told
 *        | crash:rank=RANKS[,inc=I]@SENT            a death between two frames that the rank sends
 *        | pause:rank=RANKS[,inc=I][:for=DURATION]@WHEN  stands still
 *        | mute:rank=RANKS[,inc=I]@WHEN             stands still for ever, and does not end by itself
 *        | suspect:rank=RANKS[:by=R]@t=…            is declared failed though it lives
 *        | cut:rank=RANKS[:to=R][:for=DURATION]@t=… the link is cut, in both directions
 *        | mock=RANK,VERSION,SEQUENCE,TRIAL         as the launcher's --inject has it
 *        | launcher@t=…                             the launcher dies: no process is started, no death told
 *        | random | random(K)                       drawn faults, at most K ranks killed; others may be fenced
 * SENT  := frame=K | frame=random | frame=random(K) | byte=K | byte=random | byte=random(K)
 * </pre>
 *
 * @param kind null for {@code random}
 * @param target the ranks and the moment; null for {@code random}
 * @param other the rank that {@code by} or {@code to} names; −1 if it is to be drawn or the rule needs none
 * @param durationNs 0 if it is to be drawn or the rule needs none
 * @param sent where a crash comes; null for other kinds
 * @param deaths for {@code random}, how many ranks are killed at most
 */
public record FaultRule(SimFault.Kind kind, InjectRule target, int other, long durationNs, SendPoint sent, int deaths) {
    private static final String LAUNCHER = "launcher@";
    private static final String WHO = "faults";

    /** @throws IllegalArgumentException saying why the rule cannot be understood */
    public static FaultRule parse(String text, int ranks) {
        if (text.equals("random")) {
            return new FaultRule(null, null, -1, 0, null, ranks - 1);
        }
        if (text.startsWith("random(") && text.endsWith(")")) {
            int deaths = (int)
                    number(text, "random(K):", text.substring("random(".length(), text.length() - 1), 0, ranks - 1L);
            return new FaultRule(null, null, -1, 0, null, deaths);
        }
        if (text.startsWith(LAUNCHER)) {
            return launcher(text);
        }
        if (text.startsWith("mock=")) {
            InjectRule rule = new InjectParser(WHO, text, ranks).rule();
            return new FaultRule(SimFault.Kind.KILL, rule, -1, 0, null, 0);
        }
        int colon = text.indexOf(':');
        int at = text.indexOf('@');
        if (colon < 0 || at < colon) {
            throw refused(text, "a rule is written ACTION:rank=R@WHEN, as in kill:rank=2@op=send#3, or random");
        }
        SimFault.Kind kind = kind(text, text.substring(0, colon).trim());
        String[] parts = text.substring(colon + 1, at).trim().split(":", -1);
        Map<String, String> options = new LinkedHashMap<>();
        for (int i = 1; i < parts.length; i++) {
            takeOption(text, kind, parts[i], options);
        }
        String when = text.substring(at + 1).trim();
        SendPoint sent = kind == SimFault.Kind.CRASH ? sendPoint(text, when) : null;
        InjectRule target = target(text, parts[0], sent == null ? when : "iter=0", ranks);
        if (hasOther(kind) && !when.startsWith("t=")) {
            throw refused(text, kind.action() + " goes by the clock: write t=2ms or t=random");
        }
        int other = hasOther(kind) ? other(text, options, ranks) : -1;
        if (target.ranks().contains(other)) {
            throw refused(text, "rank " + other + " cannot be cut off from, or suspect, itself");
        }
        return new FaultRule(kind, target, other, duration(text, options.get("for")), sent, 0);
    }

    private static FaultRule launcher(String text) {
        String when = text.substring(LAUNCHER.length()).trim();
        if (!when.startsWith("t=")) {
            throw refused(text, "launcher goes by the clock: write t=2ms or t=random");
        }
        Moment moment = target(text, "rank=0", when, 1).moment();
        InjectRule noRank = new InjectRule(new TreeSet<>(), 0, 0, moment);
        return new FaultRule(SimFault.Kind.LAUNCHER, noRank, -1, 0, null, 0);
    }

    /** Whether the rule concerns two ranks, of which one may be drawn. */
    public boolean hasOther() {
        return hasOther(kind);
    }

    /** Whether faults of this kind concern two ranks. They also come at a fixed time. */
    private static boolean hasOther(SimFault.Kind kind) {
        return kind == SimFault.Kind.SUSPECT || kind == SimFault.Kind.CUT;
    }

    private static void takeOption(String text, SimFault.Kind kind, String option, Map<String, String> options) {
        int equals = option.indexOf('=');
        String key = equals < 0 ? option : option.substring(0, equals);
        List<String> allowed = allowed(kind);
        if (!allowed.contains(key) || equals < 0) {
            String known = allowed.isEmpty() ? kind.action() + " has no options" : "known: " + allowed;
            throw refused(text, "'" + option + "' is no option of " + kind.action() + "; " + known);
        }
        if (options.put(key, option.substring(equals + 1)) != null) {
            throw refused(text, "'" + key + "' is there twice");
        }
    }

    /** The rank that {@code by} or {@code to} names; −1 if it is to be drawn. */
    private static int other(String text, Map<String, String> options, int ranks) {
        if (ranks == 1) {
            throw refused(text, "needs two ranks, and there is one");
        }
        String key = options.containsKey("by") ? "by" : "to";
        return options.containsKey(key) ? (int) number(text, key + ": rank", options.get(key), 0, ranks - 1L) : -1;
    }

    /** The duration; 0 if it is to be drawn. */
    private static long duration(String text, String value) {
        if (value == null) {
            return 0;
        }
        long durationNs;
        try {
            durationNs = Durations.parseNs("for", value);
        } catch (IllegalArgumentException e) {
            throw refused(text, e.getMessage());
        }
        if (durationNs == 0) {
            throw refused(text, "for: " + value.trim() + " must be at least 1ns; without it the seed chooses");
        }
        return durationNs;
    }

    private static SimFault.Kind kind(String text, String action) {
        for (SimFault.Kind kind : SimFault.Kind.values()) {
            if (kind.action().equals(action) && kind != SimFault.Kind.LAUNCHER) {
                return kind;
            }
        }
        throw refused(
                text,
                "unknown action '" + action
                        + "'; known: kill, vanish, crash, suspect, pause, mute, cut, launcher@, random");
    }

    private static List<String> allowed(SimFault.Kind kind) {
        return switch (kind) {
            case SUSPECT -> List.of("by");
            case PAUSE -> List.of("for");
            case CUT -> List.of("to", "for");
            default -> List.of();
        };
    }

    /**
     * The ranks and the moment of a rule. The number of the call is drawn if the moment is {@code op=*}, without a
     * number.
     */
    private static InjectRule target(String text, String ranksText, String when, int ranks) {
        String drawn = when.replace(" ", "").equals("op=*") ? "op=*#random(1000)" : when;
        String asKill = "kill:" + ranksText + "@" + drawn;
        InjectRule rule;
        try {
            rule = new InjectParser(WHO, asKill, ranks).rule();
        } catch (InjectSyntaxException e) {
            throw refused(text, e.why());
        }
        if (rule.moment() instanceof Moment.AtEvent) {
            throw refused(text, "events are for mpiexec; write t=2ms, op=NAME#K or point=NAME");
        }
        if (rule.moment() instanceof Moment.AtByte || rule.moment() instanceof Moment.AtRandomByte) {
            throw refused(text, "only a crash comes at a byte: write crash:" + ranksText + "@" + drawn);
        }
        return rule;
    }

    private static SendPoint sendPoint(String text, String when) {
        for (SendPoint.Unit unit : SendPoint.Unit.values()) {
            if (when.startsWith(unit.key + "=")) {
                return sendPoint(
                        text, unit, when.substring(unit.key.length() + 1).trim());
            }
        }
        throw refused(
                text,
                "a crash comes between two frames: write frame=7, frame=random, frame=random(100), or byte= and the like");
    }

    private static SendPoint sendPoint(String text, SendPoint.Unit unit, String value) {
        if (value.equals("random")) {
            return new SendPoint(unit, unit.usualBound, true);
        }
        if (value.startsWith("random(") && value.endsWith(")")) {
            String bound = value.substring("random(".length(), value.length() - 1);
            return new SendPoint(unit, number(text, unit.key + "=random(K):", bound, 1, Integer.MAX_VALUE), true);
        }
        return new SendPoint(unit, number(text, unit.key + ":", value, 1, Integer.MAX_VALUE), false);
    }

    private static long number(String text, String what, String value, long least, long most) {
        try {
            long number = Long.parseLong(value.trim());
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw refused(text, what + " '" + value.trim() + "' is no whole number");
        }
        throw refused(text, what + " " + value.trim() + " must be from " + least + " to " + most);
    }

    private static IllegalArgumentException refused(String text, String why) {
        return new IllegalArgumentException(WHO + " '" + text + "': " + why);
    }
}
