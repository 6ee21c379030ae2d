package org.ulfmj.check.mutant;

import static org.ulfmj.check.mutant.Trial.seeds;

import java.util.List;
import org.ulfmj.sim.mutant.Mutant;

/** The link session without one of its rules. */
public final class LinkMutants {
    private static final String LINK = "org.ulfmj.transport.session.LinkSession";

    private static final Mutant L4_L5 = Mutant.of(
            "L4, L5 numbers",
            "of attempts that cross only one counts",
            LINK,
            "} else if (isLower ? hello.generation() >= generation : hello.generation() > generation) {",
            "} else if (true) {");

    private static final Mutant L5_WITHDRAW = Mutant.of(
            "L5 withdraw",
            "the lower slot withdraws its dial when it accepts",
            LINK,
            "if (dial != null) {\n                endDial();\n            }\n            generation",
            "generation");

    private static final Mutant L7 = Mutant.of(
            "L7",
            "no HELLO is written once another connection is adopted",
            LINK,
            "} else if (adopted != null) {\n            // L7",
            "} else if (false) {\n            // L7");

    private static final Mutant L8 = Mutant.of(
            "L8",
            "sending starts, on a new connection, after what the peer has delivered",
            LINK,
            "next = acked + 1;",
            "next = lastWritten + 1;");

    private static final Mutant L13 = Mutant.of(
            "L13",
            "a process that leaves waits no longer than the budget",
            LINK,
            "if (isBudgetRunning() && nowNs - progressNs >= timing.linkBudgetNs()) {",
            "if (false) {");

    private static final Mutant L14 = Mutant.of(
            "L14",
            "a process that is marked is told over the connection, which is read to its end",
            LINK,
            "actions.sendYouFailed(last);\n            halfClose(last, nowNs);",
            "actions.sendYouFailed(last);\n            actions.close(last);");

    private static final Mutant L14_REFUSED = Mutant.of(
            "L14 refused",
            "a process that is marked and dials again is told so",
            LINK,
            "refuse(connection, new LinkRefusal.YouFailed(), nowNs); // L14",
            "actions.close(connection); // L14");

    private static final Mutant L15 = Mutant.of(
                    "L15",
                    "identity is slot, incarnation and nonce",
                    LINK,
                    "if (incarnation > peer.id().incarnation()) {",
                    "if (false) {")
            .and("} else if (!hello.from().equals(peer)) {", "} else if (false) {");

    private static final Mutant L17 = Mutant.of(
            "L17 linger",
            "a leaver reads its connections to their end",
            LINK,
            "adopted = null;\n            halfClose(last, nowNs);\n        }\n    }\n\n    /** Sends an",
            "adopted = null;\n            actions.close(last);\n        }\n    }\n\n    /** Sends an");

    private static final Mutant L17_DONE = Mutant.of(
            "L17 done",
            "a leaver waits until its frames are acknowledged",
            LINK,
            "if (isLeaving && isHandedOver()) {",
            "if (isLeaving) {");

    private static final Mutant L10 = Mutant.of(
            "L10",
            "what counts as acknowledged is what the peer has delivered, not what was written to it",
            LINK,
            "if (upTo > acked) {\n            acked = upTo;",
            "if (lastWritten > acked) {\n            acked = lastWritten;");

    private static final Mutant L14_VOID = Mutant.of(
            "L14 void",
            "nothing of a marked peer counts any more",
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
