package org.ulfmj.check.mutant;

import static org.ulfmj.check.mutant.Trial.seeds;
import static org.ulfmj.sim.mutant.Mutant.without;

import java.util.List;
import org.ulfmj.sim.mutant.Mutant;

/** The link session without one of its rules. */
public final class LinkMutants {
    private static final String LINK = "org.ulfmj.transport.session.LinkSession";

    private static final Mutant L4_L5 = without("L4, L5 numbers", "of attempts that cross only one counts")
            .in(
                    LINK,
                    "} else if (isLower ? hello.generation() >= generation : hello.generation() > generation) {",
                    "} else if (true) {");

    private static final Mutant L5_WITHDRAW = without(
                    "L5 withdraw", "the lower slot withdraws its dial when it accepts")
            .in(
                    LINK,
                    "if (dial != null) {\n                endDial();\n            }\n            generation",
                    "generation");

    private static final Mutant L7 = without("L7", "no HELLO is written once another connection is adopted")
            .in(LINK, "} else if (adopted != null) {\n            // L7", "} else if (false) {\n            // L7");

    private static final Mutant L8 = without(
                    "L8", "sending starts, on a new connection, after what the peer has delivered")
            .in(LINK, "next = acked + 1;", "next = lastWritten + 1;");

    private static final Mutant L13 = without("L13", "a process that leaves waits no longer than the budget")
            .in(LINK, "if (isBudgetRunning() && nowNs - progressNs >= timing.linkBudgetNs()) {", "if (false) {");

    private static final Mutant L14 = without(
                    "L14", "a process that is marked is told over the connection, which is read to its end")
            .in(
                    LINK,
                    "actions.sendYouFailed(last);\n            halfClose(last, nowNs);",
                    "actions.sendYouFailed(last);\n            actions.close(last);");

    private static final Mutant L14_REFUSED = without(
                    "L14 refused", "a process that is marked and dials again is told so")
            .in(
                    LINK,
                    "refuse(connection, new LinkRefusal.YouFailed(), nowNs); // L14",
                    "actions.close(connection); // L14");

    private static final Mutant L15 = without("L15", "identity is slot, incarnation and nonce")
            .in(LINK, "if (incarnation > peer.id().incarnation()) {", "if (false) {")
            .and("} else if (!hello.from().equals(peer)) {", "} else if (false) {");

    private static final Mutant L17 = without("L17 linger", "a leaver reads its connections to their end")
            .in(
                    LINK,
                    "adopted = null;\n            halfClose(last, nowNs);\n        }\n    }\n\n    /** Sends an",
                    "adopted = null;\n            actions.close(last);\n        }\n    }\n\n    /** Sends an");

    private static final Mutant L17_DONE = without("L17 done", "a leaver waits until its frames are acknowledged")
            .in(LINK, "if (isLeaving && isHandedOver()) {", "if (isLeaving) {");

    private static final Mutant L10 = without(
                    "L10", "what counts as acknowledged is what the peer has delivered, not what was written to it")
            .in(
                    LINK,
                    "if (upTo > acked) {\n            acked = upTo;",
                    "if (lastWritten > acked) {\n            acked = lastWritten;");

    private static final Mutant L14_VOID = without("L14 void", "nothing of a marked peer counts any more")
            .in(
                    LINK,
                    "            adopted = null;\n            actions.sendYouFailed(last);",
                    "            actions.sendYouFailed(last);");

    private LinkMutants() {}

    static List<Trial> trials() {
        return List.of(
                seeds(L4_L5, "links", 500, "a good connection is not displaced"),
                seeds(L5_WITHDRAW, "links", 500, "goodbyes arrive", "nothing breaks by itself"),
                seeds(L7, "links", 500, "a good connection is not displaced"),
                seeds(L8, "links", 500, "goodbyes arrive", "frames are handed over"),
                seeds(L13, "links", 500, "frames are handed over"),
                seeds(L14, "links", 5_000, "the marked are told"),
                seeds(L14_REFUSED, "links", 2_000, "the marked are told"),
                seeds(L15, "links", 500, "only the marked are told so"),
                seeds(L17, "links", 10_000, "nothing breaks by itself"),
                seeds(L17_DONE, "links", 500, "goodbyes arrive"),
                seeds(L7, "linked", 200, "a good connection is not displaced"),
                seeds(L8, "linked", 500, "every rank finishes"),
                seeds(L10, "linked", 100, "what is acknowledged was delivered"),
                seeds(L13, "linked", 500, "every rank finishes"),
                seeds(L14_VOID, "linked", 200, "nothing counts after the mark"));
    }
}
