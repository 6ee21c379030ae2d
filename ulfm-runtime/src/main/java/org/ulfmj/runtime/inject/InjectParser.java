package org.ulfmj.runtime.inject;

import java.util.List;
import java.util.Locale;
import java.util.SortedSet;
import java.util.TreeSet;
import org.ulfmj.runtime.Durations;
import org.ulfmj.runtime.FaultTrigger;
import org.ulfmj.runtime.NearestName;

/**
 * Reads one rule.
 *
 * <pre>
 * rule   := kill:rank=RANKS@WHEN
 * RANKS  := R[,R...]       R := 3 | 1-4 | any(k) | last
 * WHEN   := t=DURATION | t=random | t=random(DURATION) | op=NAME[#K] | op=*[#K] | op=NAME#random[(K)] | iter=K
 * </pre>
 */
public final class InjectParser {
    private static final long DEFAULT_RANDOM_WITHIN_NS = 2_000_000_000;
    private static final long DEFAULT_RANDOM_CALLS = 100;
    private static final String RANDOM = "random";
    /** Every call of package mpi that communicates or asks about a communicator. */
    private static final List<String> OPERATIONS = List.of(
            "abort",
            "ackfailed",
            "agree",
            "agreefailed",
            "allgather",
            "allgatherv",
            "allreduce",
            "alltoall",
            "alltoallv",
            "barrier",
            "bcast",
            "callerrhandler",
            "cancel",
            "compare",
            "create",
            "creategroup",
            "dup",
            "exscan",
            "failureack",
            "failuregetacked",
            "finalize",
            "free",
            "gather",
            "gatherv",
            "geterrhandler",
            "getfailed",
            "getgroup",
            "getname",
            "getrank",
            "getrequest",
            "getsize",
            "getstatus",
            "iagree",
            "idup",
            "iprobe",
            "irecv",
            "irsend",
            "isend",
            "ishrink",
            "isrevoked",
            "issend",
            "probe",
            "recv",
            "reduce",
            "reducelocal",
            "reducescatter",
            "reducescatterblock",
            "revoke",
            "rsend",
            "scan",
            "scatter",
            "scatterv",
            "send",
            "sendrecv",
            "sendrecvreplace",
            "seterrhandler",
            "setname",
            "shrink",
            "split",
            "ssend",
            "test",
            "testall",
            "testallstatus",
            "testany",
            "testanystatus",
            "testsome",
            "testsomestatus",
            "teststatus",
            "waitall",
            "waitallstatus",
            "waitany",
            "waitanystatus",
            "waitfor",
            "waitsome",
            "waitsomestatus",
            "waitstatus");

    private final String origin;
    private final String text;
    private final int size;
    private final SortedSet<Integer> ranks = new TreeSet<>();
    private int drawn;

    /**
     * @param origin where the rule was written, for messages
     * @param size processes in the job
     */
    public InjectParser(String origin, String text, int size) {
        this.origin = origin;
        this.text = text;
        this.size = size;
    }

    /**
     * The rule.
     *
     * @throws IllegalArgumentException saying why it cannot be understood
     */
    public InjectRule rule() {
        int colon = text.indexOf(':');
        int at = text.indexOf('@');
        if (colon < 0 || at < colon) {
            throw refused("a rule is written kill:rank=R@WHEN, as in kill:rank=2@t=2s");
        }
        String action = text.substring(0, colon).trim();
        if (!action.equals("kill")) {
            throw refused("unknown action '" + action + "'; known: kill");
        }
        String target = text.substring(colon + 1, at).trim();
        if (!target.startsWith("rank=")) {
            throw refused("after kill: comes rank=, as in kill:rank=2@t=2s, not '" + target + "'");
        }
        for (String part : target.substring("rank=".length()).split(",", -1)) {
            takeRanks(part.trim());
        }
        return new InjectRule(ranks, drawn, moment(text.substring(at + 1).trim()));
    }

    private void takeRanks(String part) {
        int dash = part.indexOf('-');
        if (part.startsWith("any(") && part.endsWith(")")) {
            drawn += (int) count("any(k)", part.substring(4, part.length() - 1), 1);
        } else if (part.equals("last")) {
            ranks.add(size - 1);
        } else if (dash > 0) {
            int first = rank(part.substring(0, dash));
            int last = rank(part.substring(dash + 1));
            if (first > last) {
                throw refused("the range " + part + " is empty");
            }
            for (int rank = first; rank <= last; rank++) {
                ranks.add(rank);
            }
        } else {
            ranks.add(rank(part));
        }
    }

    private int rank(String number) {
        try {
            int rank = Integer.parseInt(number);
            if (rank >= 0 && rank < size) {
                return rank;
            }
        } catch (NumberFormatException e) {
            throw refused("'" + number + "' is no rank; write a number, a range 1-4, any(k) or last");
        }
        throw refused("there is no rank " + number + " among " + size + " (0 to " + (size - 1) + ")");
    }

    private Moment moment(String when) {
        int equals = when.indexOf('=');
        String value = when.substring(equals + 1).trim();
        return switch (equals < 0 ? "" : when.substring(0, equals)) {
            case "t" -> time(value);
            case "op" -> operation(value);
            case "iter" -> new Moment.AtIteration(count("iter", value, 0));
            default ->
                throw refused("'" + when + "' is no moment; write t=2s, t=random, op=allreduce#100, op=*#7 or iter=40");
        };
    }

    private Moment time(String value) {
        if (value.equals(RANDOM)) {
            return new Moment.AtRandomTime(DEFAULT_RANDOM_WITHIN_NS);
        }
        if (isRandomWithin(value)) {
            return new Moment.AtRandomTime(duration(within(value)));
        }
        return new Moment.AtTime(duration(value));
    }

    private static boolean isRandomWithin(String value) {
        return value.startsWith(RANDOM + "(") && value.endsWith(")");
    }

    private static String within(String value) {
        return value.substring(RANDOM.length() + 1, value.length() - 1);
    }

    private long duration(String value) {
        try {
            return Durations.parseNs("t", value);
        } catch (IllegalArgumentException e) {
            throw refused(e.getMessage());
        }
    }

    private Moment operation(String value) {
        int hash = value.indexOf('#');
        String name = (hash < 0 ? value : value.substring(0, hash))
                .trim()
                .toLowerCase(Locale.ROOT)
                .replace("_", "");
        if (!name.equals(FaultTrigger.ANY_OPERATION) && !OPERATIONS.contains(name)) {
            throw refused("unknown operation '" + name + "'; the nearest known one is "
                    + NearestName.to(name, OPERATIONS) + " (or * for any)");
        }
        String number = hash < 0 ? "1" : value.substring(hash + 1).trim();
        if (number.equals(RANDOM)) {
            return new Moment.AtRandomOperation(name, DEFAULT_RANDOM_CALLS);
        }
        if (isRandomWithin(number)) {
            return new Moment.AtRandomOperation(name, count("op", within(number), 1));
        }
        return new Moment.AtOperation(name, count("op", number, 1));
    }

    private long count(String what, String value, int least) {
        try {
            long count = Integer.parseInt(value.trim());
            if (count >= least) {
                return count;
            }
        } catch (NumberFormatException e) {
            throw refused(what + ": '" + value + "' is no whole number");
        }
        throw refused(what + ": " + value.trim() + " is too small, the least is " + least);
    }

    private IllegalArgumentException refused(String why) {
        return new IllegalArgumentException(origin + " '" + text + "': " + why);
    }
}
