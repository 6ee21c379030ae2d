package org.ulfmj.runtime.inject;

import java.util.List;
import java.util.Locale;
import java.util.SortedSet;
import java.util.TreeSet;
import org.ulfmj.protocol.NearestName;
import org.ulfmj.runtime.options.Durations;
import org.ulfmj.runtime.options.FaultTrigger;

/**
 * Reads one rule.
 *
 * <pre>
 * rule   := kill:rank=RANKS[,inc=I]@WHEN | mock=RANK,V,S,I
 * RANKS  := R[,R...]       R := 3 | 1-4 | any(k) | last
 * I      := 0 | 1 ... | *  which process of the rank: the first (if nothing is said), a replacement, or each
 * WHEN   := t=DURATION | t=random | t=random(DURATION) | op=NAME[#K] | op=*[#K] | op=NAME#random[(K)] | iter=K
 *         | point=NAME[#K] | v=V,seq=S
 * </pre>
 *
 * <p>{@code mock} is Rabit's own way to write {@code kill:rank=RANK,inc=I@v=V,seq=S}.
 */
public final class InjectParser {
    private static final long DEFAULT_RANDOM_WITHIN_NS = 2_000_000_000;
    private static final long DEFAULT_RANDOM_CALLS = 100;
    private static final String RANDOM = "random";
    private static final String MOCK = "mock=";
    private static final String INCARNATION = "inc=";
    /**
     * The names of all calls of package mpi, and of the recovery mode, that communicate or ask about a communicator.
     */
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
            "broadcast",
            "callerrhandler",
            "cancel",
            "checkpoint",
            "compare",
            "create",
            "createcart",
            "createdistgraph",
            "createdistgraphadjacent",
            "creategraph",
            "creategroup",
            "createintercomm",
            "dup",
            "exscan",
            "failureack",
            "failuregetacked",
            "finalize",
            "free",
            "gather",
            "gatherv",
            "getcoords",
            "getdims",
            "getdistgraphneighbors",
            "geterrhandler",
            "getfailed",
            "getgroup",
            "getname",
            "getneighbors",
            "getrank",
            "getremotegroup",
            "getremotesize",
            "getrequest",
            "getsize",
            "getstatus",
            "gettopo",
            "gettopology",
            "iagree",
            "iallgather",
            "iallgatherv",
            "iallreduce",
            "ialltoall",
            "ialltoallv",
            "ialltoallw",
            "ibarrier",
            "ibcast",
            "idup",
            "iexscan",
            "igather",
            "igatherv",
            "ineighborallgather",
            "ineighborallgatherv",
            "ineighboralltoall",
            "ineighboralltoallv",
            "iprobe",
            "irecv",
            "ireduce",
            "ireducescatter",
            "ireducescatterblock",
            "irsend",
            "iscan",
            "iscatter",
            "iscatterv",
            "isend",
            "ishrink",
            "isinter",
            "isrevoked",
            "issend",
            "lazycheckpoint",
            "loadcheckpoint",
            "map",
            "merge",
            "neighborallgather",
            "neighborallgatherv",
            "neighboralltoall",
            "neighboralltoallv",
            "probe",
            "recv",
            "reduce",
            "reducelocal",
            "reducescatter",
            "reducescatterblock",
            "replace",
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
            "shift",
            "shrink",
            "shutdown",
            "split",
            "ssend",
            "sub",
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
    private int incarnation;

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
     * Reads the text and returns the rule.
     *
     * @throws IllegalArgumentException saying why it cannot be understood
     */
    public InjectRule rule() {
        if (text.startsWith(MOCK)) {
            return mock(text.substring(MOCK.length()).split(",", -1));
        }
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
            if (part.trim().startsWith(INCARNATION)) {
                takeIncarnation(part.trim().substring(INCARNATION.length()));
            } else {
                takeRanks(part.trim());
            }
        }
        if (ranks.isEmpty() && drawn == 0) {
            throw refused("no rank is named; write kill:rank=2,inc=1@t=2s");
        }
        return new InjectRule(
                ranks, drawn, incarnation, moment(text.substring(at + 1).trim()));
    }

    private InjectRule mock(String... parts) {
        if (parts.length != 4) {
            throw refused("it is written mock=rank,version,seqno,ndeath, four numbers");
        }
        ranks.add(rank(parts[0].trim()));
        Moment at = new Moment.AtPosition(count("version", parts[1], 0), count("seqno", parts[2], 0));
        return new InjectRule(ranks, 0, (int) count("ndeath", parts[3], 0), at);
    }

    private void takeIncarnation(String value) {
        incarnation = value.equals("*") ? FaultTrigger.EVERY_INCARNATION : (int) count("inc", value, 0);
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
            case "point" -> point(value);
            case "byte" -> sentBytes(value);
            case "v" -> position(value);
            default ->
                throw refused("'" + when + "' is no moment; write t=2s, t=random, op=allreduce#100, op=*#7, iter=40,"
                        + " point=rabit.before-commit, byte=5000 or v=1,seq=0");
        };
    }

    private Moment point(String value) {
        int hash = value.indexOf('#');
        String name = (hash < 0 ? value : value.substring(0, hash)).trim();
        if (!KillPoints.ALL.contains(name)) {
            throw refused(
                    "unknown point '" + name + "'; the nearest known one is " + NearestName.to(name, KillPoints.ALL));
        }
        return new Moment.AtPoint(name, hash < 0 ? 1 : count("point", value.substring(hash + 1), 1));
    }

    private Moment sentBytes(String value) {
        return isRandomWithin(value)
                ? new Moment.AtRandomByte(count("byte", within(value), 1))
                : new Moment.AtByte(count("byte", value, 1));
    }

    /** Returns the moment that the text after {@code v=} names. */
    private Moment position(String value) {
        int comma = value.indexOf(',');
        String rest = value.substring(comma + 1).trim();
        if (comma < 0 || !rest.startsWith("seq=")) {
            throw refused("a place of the replay is written v=1,seq=0");
        }
        return new Moment.AtPosition(
                count("v", value.substring(0, comma), 0), count("seq", rest.substring("seq=".length()), 0));
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
