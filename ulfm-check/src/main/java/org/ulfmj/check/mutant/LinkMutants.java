package org.ulfmj.check.mutant;

import static org.ulfmj.check.mutant.Trial.seeds;
import static org.ulfmj.check.mutant.Trial.world;
import static org.ulfmj.sim.mutant.Mutant.without;

import java.util.List;
import org.ulfmj.sim.mutant.Mutant;

/** Mutants of the link session and of its driver in the small worlds, each without one rule of the link. */
public final class LinkMutants {
    private static final String LINK = "org.ulfmj.transport.session.LinkSession";

    /** Name of the class that drives one session in the small worlds. */
    private static final String SIDE = "org.ulfmj.check.exhaustive.link.LinkSide";
    /** Name of the class that holds both processes of a small world, and the steps that may happen next there. */
    private static final String PAIR = "org.ulfmj.check.exhaustive.link.LinkPair";

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
            .in(LINK, "if (isBudgetRunning() && budget.isOver(nowNs)) {", "if (false) {");

    private static final Mutant L14_REFUSED = without(
                    "L14 refused", "a process that is marked and dials again is told so")
            .in(
                    LINK,
                    "refuse(connection, new LinkRefusal.YouFailed(), nowNs); // L14",
                    "actions.close(connection); // L14");

    private static final Mutant L15 = without("L15", "identity is slot, incarnation and nonce")
            .in(LINK, "if (incarnation > peer.id().incarnation()) {", "if (false) {")
            .and("} else if (!hello.from().equals(peer)) {", "} else if (false) {");

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

    private static final Mutant L2 = without("L2", "either slot dials after a loss, not only the lower one")
            .in(
                    LINK,
                    "return isNeeded && adopted == null",
                    "return isNeeded && (isLower || generation == 0) && adopted == null");

    private static final Mutant L2_IDLE = without("L2 idle", "an idle connection that is lost is opened anew too")
            .in(LINK, "isLost ? isResumed : offered > acked;", "offered > acked;");

    private static final Mutant L9_DROP = without(
                    "L9 drop", "a frame that comes again is dropped, wherever its sender goes on")
            .in(LINK, "onPeerDelivered(lastDelivered, nowNs);\n        next", "next")
            .and("if (sequence == delivered + 1) {", "if (sequence <= delivered + 1) {");

    private static final Mutant L9_AGAIN = without(
                    "L9 again", "a frame that comes again is acknowledged again, wherever its sender goes on")
            .in(LINK, "onPeerDelivered(lastDelivered, nowNs);\n        next", "next")
            .and("ackPace.onRepeated(nowNs);", "return false;");

    private static final Mutant L11 = without("L11", "a connection that brings no acknowledgement is given up")
            .in(LINK, "return isResumed && adopted != null && next", "return false && next");

    private static final Mutant L13_DIALS = without("L13 dials", "a peer that is reported lost is dialed on")
            .in(LINK, "return isNeeded && adopted == null", "return isNeeded && !budget.isSpent() && adopted == null");

    private static final Mutant L13_BACK = without("L13 back", "a success takes the report of a lost peer back")
            .in(LINK, "if (budget.takeBack()) {", "if (false) {");

    private static final Mutant L16 = without("L16", "a goodbye acknowledges what its sender has received")
            .in(LINK, "        onAck(connection, ackUpTo, nowNs);\n", "");

    private static final Mutant L5_USED = without("L5 used", "a number that was proposed is never used again")
            .in(LINK, "generation = ++top;", "generation++;");

    private static final Mutant L14_CLOSE = without(
                    "L14 half-close", "the connection to a marked peer is read to its end")
            .in(
                    LINK,
                    "            halfClose(last, nowNs);\n        }\n        afterChange",
                    "            actions.close(last);\n        }\n        afterChange")
            .and("isLost ? isResumed : offered > acked;", "offered > acked;");

    private static final Mutant L7_KEPT = without(
                    "L7 kept", "the higher slot keeps an attempt that it has asked for when it accepts another")
            .in(
                    LINK,
                    "if (isLower) {\n            if (dial != null) {\n                endDial();\n            }\n            generation",
                    "if (dial != null) {\n                endDial();\n            }\n        if (isLower) {\n            generation");

    private static final Mutant L5_TOP = without(
                    "L5 adopted", "an attempt is measured by what was adopted, not by what was ever proposed")
            .in(LINK, "hello.generation() >= generation", "hello.generation() >= top");

    private static final Mutant L12_READER = without(
                    "L12 reader", "a process reads on while its program takes nothing of what has come")
            .in(
                    PAIR,
                    "            if (wire.hasUnread(slot)) {",
                    "            if (wire.hasUnread(slot) && side(slot).delivered() > 0 && !side(slot).session().isHandedOver()) {\n"
                            + "                continue;\n            }\n            if (wire.hasUnread(slot)) {");

    private static final Mutant L16_NONE = without("L16 each", "a goodbye goes over each session")
            .in(SIDE, "if (session.isOpen()) {\n            offer();", "if (false) {\n            offer();");

    private static final Mutant L17_CLOSE = without(
                    "L17 half-close", "a leaver reads its connection to the end before it closes it")
            .in(
                    LINK,
                    "            adopted = null;\n            halfClose(last, nowNs);\n        }\n    }",
                    "            adopted = null;\n            actions.close(last);\n        }\n    }");

    private LinkMutants() {}

    static List<Trial> trials() {
        return List.of(
                seeds(L4_L5, "links", 500, "a good connection is not displaced"),
                seeds(L5_WITHDRAW, "links", 2_000, "a good connection is not displaced"),
                seeds(L7, "links", 500, "a good connection is not displaced"),
                seeds(L8, "links", 500, "goodbyes arrive", "frames are handed over"),
                seeds(L2, "links", 500, "frames are handed over"),
                seeds(L2_IDLE, "links", 2_000, "the marked are told", "frames are handed over"),
                seeds(L9_DROP, "links", 500, "frames arrive once and in order"),
                seeds(L9_AGAIN, "links", 500, "frames are handed over"),
                seeds(L11, "links", 500, "frames are handed over"),
                seeds(L13_DIALS, "links", 2_000, "frames are handed over"),
                seeds(L13_BACK, "links", 2_000, "frames are handed over"),
                seeds(L16, "links", 500, "a goodbye acknowledges"),
                seeds(L14_REFUSED, "links", 2_000, "the marked are told", "frames are handed over"),
                seeds(L15, "links", 500, "only the marked are told so", "nothing counts after the mark"),
                seeds(L17_DONE, "links", 500, "goodbyes arrive"),
                seeds(L7, "linked", 200, "a good connection is not displaced"),
                seeds(L8, "linked", 500, "every rank finishes", "no process sends what cannot be true"),
                seeds(L10, "linked", 100, "what is acknowledged was delivered"),
                seeds(L13, "linked", 500, "every rank finishes"),
                seeds(L14_VOID, "linked", 200, "nothing counts after the mark"),
                world(L4_L5, "links-cross", "a good connection is not displaced"),
                world(L7_KEPT, "links-cross-slow", "every schedule ends"),
                world(L5_TOP, "links-one-way", "every schedule ends"),
                world(L12_READER, "links-cross", "every schedule ends"),
                world(L16_NONE, "links-leave", "every schedule ends"),
                world(L17_CLOSE, "links-leave-slow", "every schedule ends"),
                world(L8, "links-credit", "every schedule ends"),
                world(L5_USED, "links-cut-both", "a good connection is not displaced"),
                world(L14_CLOSE, "links-mark", "the marked are told"));
    }
}
