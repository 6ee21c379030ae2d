package org.ulfmj.sim.mutant;

import java.util.List;

/**
 * The rules of the shipped protocols that have a counterexample without them, each with the mutant that leaves it out.
 * The names are those of the comments at the rules.
 */
public final class Mutants {
    private static final String AGREEMENT = "org.ulfmj.agree.EarlyReturningAgreement";
    private static final String AGREEMENTS = "org.ulfmj.agree.Agreements";
    private static final String LINK = "org.ulfmj.transport.session.LinkSession";
    private static final String RING = "org.ulfmj.detector.RingDetector";
    private static final String BROADCAST = "org.ulfmj.detector.ReliableBroadcast";
    private static final String CORE = "org.ulfmj.agree.SurvivorCore";

    /** Nothing is taken from a process that is held for failed. */
    public static final Mutant R0 = Mutant.of(
            "R0", CORE, "if (failures.hasFailed(from) && !isObituaryOfMe(message)) { // R0", "if (false) { // R0");

    /** A value that lists its receiver as failed ends the receiver. */
    public static final Mutant R3A2 = Mutant.of(
            "R3a2", AGREEMENT, "if (up.value().failed().contains(group.me())) { // R3a2", "if (false) { // R3a2");

    /** Who asks for the result is remembered. */
    public static final Mutant R4B =
            Mutant.of("R4b", AGREEMENT, "requesters = requesters.with(from); // R4b", "// R4b");

    /** Who is asked for the result sends its value again. */
    public static final Mutant R4C = Mutant.of("R4c", AGREEMENT, "resend(out); // R4c", "// R4c");

    /** The decision goes to all whose values were gathered. */
    public static final Mutant R6_GATHERED =
            Mutant.of("R6 gathered", AGREEMENT, "requesters.union(gathered); // R6", "requesters; // R6");

    /** A rank that becomes the root asks its children. */
    public static final Mutant R7_TAKEOVER =
            Mutant.of("R7 takeover", AGREEMENT, "ask(children(), out); // R7 takeover", "// R7 takeover");

    /** When one that was asked dies, those inherited from it are asked. */
    public static final Mutant R7_REPOLL =
            Mutant.of("R7 re-poll", AGREEMENT, "ask(children().minus(asked), out); // R7 re-poll", "// R7 re-poll");

    /** Nobody decides before all contributors have fenced whom the decision lists. */
    public static final Mutant R9 =
            Mutant.of("R9", AGREEMENT, "if (!fenced.containsAll(value.failed())) { // R9", "if (false) { // R9");

    /** A new round counts as having asked all whom it goes to. */
    public static final Mutant ASKED_IS_TO =
            Mutant.of("asked := to", AGREEMENT, "asked = to; //", "asked = SlotSet.EMPTY; //");

    /** Only decisions of blocking calls change the base of later trees. */
    public static final Mutant BLOCKING_ONLY = Mutant.of(
            "R8 blocking only",
            AGREEMENTS,
            "if (decision.isOfOneKind() && decision.kinds().firstKey().isBlocking()) { // R8",
            "if (true) { // R8");

    /** Who gains a neighbour by a death sends it every event held. */
    public static final Mutant REPLAY = Mutant.of(
            "sticky replay",
            BROADCAST,
            "onGone(ProcessId gone, Outbox<ProcessId, ? super E> out) {\n        replay(out);",
            "onGone(ProcessId gone, Outbox<ProcessId, ? super E> out) {");

    /** Whoever asks for heartbeats gets them from then on. */
    public static final Mutant OBSERVED = Mutant.of("B3 observe", RING, "observers.add(observer);", "// B3");

    /** A stall of ours is not blamed on the emitter. */
    public static final Mutant STALL =
            Mutant.of("own stall", RING, "extendBy(Math.min(lateNs, nowNs - listeningSinceNs));", "// own stall");

    /** The excluded one is told itself. */
    public static final Mutant SUBJECT_IS_TOLD = Mutant.of(
            "obituary to its subject",
            CORE,
            "if (obituary.evidence().kind() != Evidence.Kind.CERTAIN) {",
            "if (false) {");

    /** A revocation is passed on by those that do not know the communicator, too. */
    public static final Mutant UNKNOWN_IS_FORWARDED = Mutant.of(
            "revocation of the unknown",
            CORE,
            "spreadRevocation(revoke, out);\n        } else if (message instanceof ControlMessage.Goodbye",
            "if (communicators.containsKey(revoke.communicator())) {\n                spreadRevocation(revoke, out);\n"
                    + "            }\n        } else if (message instanceof ControlMessage.Goodbye");

    /** What comes for a communicator before it exists here is held. */
    public static final Mutant EARLY_IS_HELD =
            Mutant.of("early messages", CORE, "held.hold(from, message);", "// held");

    /** An undecided rank decides at the first goodbye. */
    public static final Mutant F2 =
            Mutant.of("F2", CORE, ".onDown(from.slot(), goodbye.sequence(), goodbye.decision(), out);", ".refresh();");

    /** An undecided rank that the launcher tells of a departure decides alone. */
    public static final Mutant F6 = Mutant.of(
            "F6", CORE, "communicators.get(departure.communicator()).decideAlone(departure.sequence(), out);", "// F6");

    /** Of attempts that cross only one counts. */
    public static final Mutant L4_L5 = Mutant.of(
            "L4, L5 numbers",
            LINK,
            "} else if (isLower ? hello.generation() >= generation : hello.generation() > generation) {",
            "} else if (true) {");

    /** The lower slot withdraws its dial when it accepts. */
    public static final Mutant L5_WITHDRAW = Mutant.of(
            "L5 withdraw",
            LINK,
            "if (dial != null) {\n                endDial();\n            }\n            generation",
            "generation");

    /** No HELLO is written once another connection is adopted. */
    public static final Mutant L7 = Mutant.of(
            "L7", LINK, "} else if (adopted != null) {\n            // L7", "} else if (false) {\n            // L7");

    /** Sending starts, on a new connection, after what the peer has delivered. */
    public static final Mutant L8 = Mutant.of("L8", LINK, "next = acked + 1;", "next = lastWritten + 1;");

    /** Who is marked is told over the connection, which is read to its end. */
    public static final Mutant L14 = Mutant.of(
            "L14",
            LINK,
            "actions.sendYouFailed(last);\n            halfClose(last, nowNs);",
            "actions.sendYouFailed(last);\n            actions.close(last);");

    /** Identity is slot, incarnation and nonce. */
    public static final Mutant L15 = Mutant.of(
                    "L15", LINK, "if (incarnation > peer.id().incarnation()) {", "if (false) {")
            .and("} else if (!hello.from().equals(peer)) {", "} else if (false) {");

    /** A leaver reads its connections to their end. */
    public static final Mutant L17 = Mutant.of(
            "L17 linger",
            LINK,
            "adopted = null;\n            halfClose(last, nowNs);\n        }\n    }\n\n    /** Sends an",
            "adopted = null;\n            actions.close(last);\n        }\n    }\n\n    /** Sends an");

    /** A leaver waits until its frames are acknowledged. */
    public static final Mutant L17_DONE =
            Mutant.of("L17 done", LINK, "if (isLeaving && isHandedOver()) {", "if (isLeaving) {");

    /** But not longer than the budget. */
    public static final Mutant L13 = Mutant.of(
            "L13", LINK, "if (isBudgetRunning() && nowNs - progressNs >= timing.linkBudgetNs()) {", "if (false) {");

    private Mutants() {}

    /** The rules without which a link session is wrong. */
    public static List<Mutant> ofLinks() {
        return List.of(L4_L5, L5_WITHDRAW, L7, L8, L13, L14, L15, L17, L17_DONE);
    }

    /** The rules without which detector and broadcast are wrong. */
    public static List<Mutant> ofDetector() {
        return List.of(REPLAY, OBSERVED, STALL, SUBJECT_IS_TOLD);
    }

    /** The rules without which a survivor core is wrong, whose agreements are right. */
    public static List<Mutant> ofCore() {
        return List.of(UNKNOWN_IS_FORWARDED, EARLY_IS_HELD, F2, F6);
    }

    /** The rules without which the agreement is wrong. */
    public static List<Mutant> ofAgreement() {
        return List.of(R0, R3A2, R4B, R4C, R6_GATHERED, R7_TAKEOVER, R7_REPOLL, R9, ASKED_IS_TO, BLOCKING_ONLY);
    }

    /**
     * The agreement as it was before rule R9: a rank neither learns failures from the values it gets nor looks, as the
     * root, who had fenced whom. Right as long as nobody is suspected falsely.
     *
     * <p>R9 brought the learning, and with it a second defence against what some older rules are there for. Whether one
     * of those does its work can be seen here only.
     */
    public static Mutant beforeR9() {
        return Mutant.of("before R9", AGREEMENT, "learn(up.value().failed(), from, out);", "// a value teaches nothing")
                .and("if (!unheard.isEmpty()) {\n            // Marking", "if (false) {\n            // Marking")
                .and("if (!fenced.containsAll(value.failed())) { // R9", "if (false) { // R9");
    }
}
