package org.ulfmj.runtime.waits;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The description of one thread of a rank in words, or of a rank without a report, split into parts so that lines of
 * several ranks can be joined into one.
 *
 * @param thread the thread's name; empty for the main thread, or where the phrase is about no single thread
 * @param verb for one rank: {@code waits}
 * @param what the text after verb and time: {@code in recv on COMM_WORLD}
 * @param forNs for how long; 0 if that is not known
 * @param whom the ranks that it waits for, with the preposition; may be empty
 * @param bareWhom the same ranks without preposition, for a list of pairs; empty if they cannot be shortened so
 * @param rest the rest of the line; may be empty
 */
record WaitPhrase(String thread, String verb, String what, long forNs, String whom, String bareWhom, String rest) {
    private static final double SECOND_NS = 1e9;
    private static final int SHORT_NAME = 3;
    private static final long LONG_NS = 100_000_000_000L;
    private static final Map<String, String> PLURALS = Map.of("is", "are", "has", "have", "does", "do", "was", "were");

    static WaitPhrase of(RankView view) {
        return new WaitPhrase("", verbOf(view.standing()), afterVerb(view.standing()), 0, "", "", "");
    }

    static WaitPhrase of(Activity main) {
        String at = at(main.site());
        return switch (main.kind()) {
            case COMPUTES -> new WaitPhrase("", "computes", "outside MPI", main.forNs(), "", "", at);
            case BLOCKED -> new WaitPhrase("", "is blocked", "outside MPI", main.forNs(), "", "", at);
            case IN_OPERATOR ->
                new WaitPhrase("", "runs", "an operator of the program in " + main.call(), 0, "", "", at);
            case ENDED -> new WaitPhrase("", "has", "ended its main thread without MPI.Finalize", 0, "", "", "");
            default -> new WaitPhrase("", "is", "inside " + main.call(), 0, "", "", at);
        };
    }

    static WaitPhrase of(Wait wait) {
        String at = at(wait.site());
        if (wait.needs().size() == 1 && wait.moreNeeds() == 0) {
            Need need = wait.needs().get(0);
            return new WaitPhrase(
                    wait.thread(),
                    "waits",
                    "in " + call(wait.call(), need.action()) + on(need),
                    wait.forNs(),
                    forWhom(need),
                    need.isAny() ? "" : bare(need.peers()),
                    (need.detail().isEmpty() ? "" : ", ") + need.detail() + at);
        }
        List<String> parts = new ArrayList<>();
        for (Need need : wait.needs()) {
            parts.add(need.action()
                    + on(need)
                    + forWhom(need)
                    + (need.detail().isEmpty() ? "" : ", ".concat(need.detail())));
        }
        if (wait.moreNeeds() > 0) {
            parts.add(wait.moreNeeds() + " more");
        }
        String all = (wait.isAny() ? " for the first of: " : " for: ") + String.join("; ", parts);
        return new WaitPhrase(
                wait.thread(),
                "waits",
                "in " + (wait.call().isEmpty() ? "MPI" : wait.call()),
                wait.forNs(),
                "",
                "",
                (parts.isEmpty() ? "" : all) + at);
    }

    /** Returns the key of the phrase: phrases of several ranks with the same key share one line. */
    String key() {
        return String.join("\n", thread, verb, what, bareWhom.isEmpty() ? whom : "", rest);
    }

    /** Returns the verb; in the plural if several ranks share the line. */
    String verb(boolean isPlural) {
        if (!isPlural) {
            return verb;
        }
        String first = verbOf(verb);
        String plural =
                PLURALS.getOrDefault(first, first.endsWith("s") ? first.substring(0, first.length() - 1) : first);
        return plural + verb.substring(first.length());
    }

    /** Returns the words for a time or a span of times: {@code 4.0 s}, or {@code 3.9-4.0 s}; empty if the most is 0. */
    static String time(long leastNs, long mostNs) {
        if (mostNs == 0) {
            return "";
        }
        String least = seconds(leastNs);
        String most = seconds(mostNs);
        return (least.equals(most) ? most : least + "-" + most) + " s";
    }

    private static String seconds(long ns) {
        return String.format(Locale.ROOT, ns < LONG_NS ? "%.1f" : "%.0f", ns / SECOND_NS);
    }

    private static String at(String site) {
        return site.isEmpty() ? "" : ", at " + site;
    }

    /**
     * Returns the name of the program's call, followed by the action that is under way if the name does not show it.
     * Returns the action alone if the call is not known.
     */
    private static String call(String call, String action) {
        if (call.isEmpty()) {
            return action;
        }
        String known =
                action.substring(0, Math.min(SHORT_NAME, action.length())).toLowerCase(Locale.ROOT);
        boolean isSame = call.toLowerCase(Locale.ROOT).contains(known) && !call.startsWith("sendRecv");
        return isSame ? call : call + " (" + action + ")";
    }

    private static String on(Need need) {
        if (need.communicator().isEmpty()) {
            return "";
        }
        boolean isWellKnown = need.communicator().startsWith("COMM_");
        return " on " + need.communicator()
                + (isWellKnown
                        ? ""
                        : " (" + need.size() + " ranks, id " + Long.toHexString(need.communicatorId()) + ")");
    }

    private static String forWhom(Need need) {
        if (need.peers().isEmpty()) {
            return need.isAny() ? " for any rank" : "";
        }
        String word = need.peers().size() == 1 ? "rank " : need.isAny() ? "any of ranks " : "ranks ";
        return " for " + word + bare(need.peers());
    }

    /**
     * Returns the peers as a list of their ranks in COMM_WORLD. If the rank of a peer on the communicator differs, the
     * ranks of all these peers there are added in parentheses.
     */
    private static String bare(List<AwaitedRank> peers) {
        List<Integer> slots = new ArrayList<>();
        StringBuilder both = new StringBuilder();
        boolean isPlain = true;
        for (AwaitedRank peer : peers) {
            slots.add(peer.slot());
            isPlain &= peer.slot() == peer.rank();
            both.append(both.length() == 0 ? "" : ", ")
                    .append(peer.slot())
                    .append(" (")
                    .append(peer.rank());
            both.append(" there)");
        }
        return isPlain ? RankList.bare(slots) : both.toString();
    }

    private static String verbOf(String sentence) {
        int space = sentence.indexOf(' ');
        return space < 0 ? sentence : sentence.substring(0, space);
    }

    private static String afterVerb(String sentence) {
        int space = sentence.indexOf(' ');
        return space < 0 ? "" : sentence.substring(space + 1);
    }
}
