package org.ulfmj.check.mutant;

import static org.ulfmj.check.mutant.Trial.script;
import static org.ulfmj.check.mutant.Trial.seeds;
import static org.ulfmj.check.mutant.Trial.world;
import static org.ulfmj.sim.mutant.Mutant.without;

import java.util.List;
import org.ulfmj.sim.mutant.Mutant;

/** Mutants of the broadcast, of obituaries, communicators and Finalize, each without one of their rules. */
public final class CoreMutants {
    private static final String CORE = "org.ulfmj.agree.SurvivorCore";
    private static final String RANK = "org.ulfmj.agree.Survivor";
    private static final String LOSSES = "org.ulfmj.agree.Losses";
    private static final String COMMUNICATORS = "org.ulfmj.agree.Communicators";
    private static final String GOODBYES = "org.ulfmj.agree.Goodbyes";
    private static final String EPOCH = "org.ulfmj.agree.Epoch";
    private static final String BROADCAST = "org.ulfmj.detector.ReliableBroadcast";
    private static final String IDS = "org.ulfmj.agree.CommunicatorIds";
    private static final String DEPARTURE = "org.ulfmj.agree.Departure";

    static final Mutant REPLAY = without(
                    "sticky replay", "a rank that gains a neighbour by a death sends it every event held")
            .in(
                    BROADCAST,
                    "onGone(ProcessId gone, Outbox<ProcessId, ? super E> out) {\n        replay(out);",
                    "onGone(ProcessId gone, Outbox<ProcessId, ? super E> out) {");

    private static final Mutant FORWARD = without(
                    "forward at first receipt", "a rank that hears of an event for the first time passes it on")
            .in(
                    BROADCAST,
                    "cachedHolds = false;\n        sendToNewNeighbours(entry, out);\n        return true;",
                    "cachedHolds = false;\n        if (event.originSlot() == me.slot()) {\n"
                            + "            sendToNewNeighbours(entry, out);\n        }\n        return true;");

    private static final Mutant OVERLAY_OF_THE_LIVING = without(
                    "overlay of the living", "neighbours are taken over the live ranks, as far as one knows")
            .in(BROADCAST, "failures.goneAmong(members, membership)", "org.ulfmj.protocol.SlotSet.EMPTY");

    static final Mutant SUBJECT_IS_TOLD = without("obituary to its subject", "the excluded one is told itself")
            .in(LOSSES, "if (obituary.evidence().kind() != Evidence.Kind.CERTAIN) {", "if (false) {");

    private static final Mutant OBITUARY_MARKS = without("obituary marks", "whose obituary comes is held for failed")
            .in(LOSSES, "lose(failed, obituary.evidence(), out);", "// obituary marks");

    private static final Mutant OWN_OBITUARY = without(
                    "own obituary", "a rank that hears its own obituary ends itself, no matter which process sends it")
            .in(
                    CORE,
                    "if (failures.hasFailed(from) && !rank.isObituaryOfMe(message)) { // R0",
                    "if (failures.hasFailed(from)) { // R0");

    private static final Mutant UNKNOWN_IS_FORWARDED = without(
                    "revocation of the unknown",
                    "a revocation is passed on by those that do not know the communicator, too")
            .in(
                    CORE,
                    "communicators.spread(revoke, out);",
                    "if (communicators.known(revoke.communicator()) != null) {\n                communicators.spread(revoke, out);\n"
                            + "            }");

    private static final Mutant REVOKED_EARLY = without(
                    "revoked before it exists",
                    "a communicator that was revoked before it came into being here is revoked here")
            .in(
                    COMMUNICATORS,
                    "if (isRevoked(communicator)) {\n            rank.effects()",
                    "if (false) {\n            rank.effects()");

    private static final Mutant REVOKED_ONCE = without("revoked once", "a communicator is revoked once")
            .in(
                    COMMUNICATORS,
                    "if (!forgotten.contains(revoke.communicator()) && revocations.spread(revoke, out)) {",
                    "revocations.spread(revoke, out);\n        if (true) {");

    private static final Mutant REPLAY_OF_REVOCATIONS = without(
                    "replay of revocations", "a death makes revocations be sent to new neighbours")
            .in(COMMUNICATORS, "revocations.onGone(gone, out);", "// revocations");

    private static final Mutant ABORTED_IS_REVOKED = without(
                    "S4 failed creation", "a rank that cannot build a communicator whose id is fixed revokes it")
            .in(
                    COMMUNICATORS,
                    "spread(new ControlMessage.Revoke(communicator, epoch, members, rank.me().slot()), out);",
                    "// S4");

    private static final Mutant EARLY_IS_HELD = without(
                    "early messages", "what comes for a communicator before it exists here is held")
            .in(COMMUNICATORS, "held.hold(from, message);", "// held");

    private static final Mutant FREED_ANSWERS = without(
                    "freed answers", "a decision on a freed communicator can still be asked for")
            .in(COMMUNICATORS, "if (agreements.isUnused()) {", "if (true) {");

    private static final Mutant SHRINK_ID = without(
                    "S3 id of a shrink", "the failed set is part of the id of a shrunk communicator")
            .in(IDS, "failed.writeTo(fields);", "// S3");

    private static final Mutant F2 = without("F2", "an undecided rank decides at the first goodbye")
            .in(GOODBYES, ".onDown(from.slot(), goodbye.sequence(), goodbye.decision(), out);", ".refresh();");

    private static final Mutant F3 = without("F3", "a leaver says goodbye")
            .in(
                    EPOCH,
                    "goodbyes.send(new ControlMessage.Goodbye(communicator, sequence, decision), worlds.membership(), out);",
                    "// F3");

    private static final Mutant F4 = without("F4", "a leaver does not fence itself any more")
            .in(RANK, "if (!fenced && !departure.isLeaving()) {", "if (!fenced) {");

    private static final Mutant F6 = without(
                    "F6", "an undecided rank that the launcher tells of a departure decides alone")
            .in(
                    GOODBYES,
                    "communicators.known(departure.communicator()).decideAlone(departure.sequence(), out);",
                    "// F6");

    private static final Mutant F8 = without("F8", "a decision of mixed kinds lets no rank leave")
            .in(DEPARTURE, "boolean leaves = decision.isOnly(Kind.FINALIZE);", "boolean leaves = true;");

    private CoreMutants() {}

    static List<Trial> trials() {
        return List.of(
                seeds(REPLAY, "broadcast", 20_000, "what one heard all heard"),
                seeds(FORWARD, "broadcast", 2_000, "what one heard all heard"),
                seeds(OVERLAY_OF_THE_LIVING, "broadcast", 20_000, "what one heard all heard"),
                seeds(SUBJECT_IS_TOLD, "revoke", 500, "the excluded end fenced"),
                world(SUBJECT_IS_TOLD, "obituaries-suspicion", "runs on"),
                world(OBITUARY_MARKS, "obituaries", "has not heard of the end"),
                world(OWN_OBITUARY, "agree-mutual", "runs on"),
                seeds(UNKNOWN_IS_FORWARDED, "revoke", 500, "revoked for one revoked for all"),
                seeds(REVOKED_EARLY, "revoke", 500, "an early revoke is not lost"),
                script(REPLAY_OF_REVOCATIONS, "revocationBehindTheDead", "3 is not told"),
                world(REVOKED_ONCE, "agree-revoke-shrink", "told twice"),
                script(ABORTED_IS_REVOKED, "creationThatFails", "1 is not told"),
                seeds(EARLY_IS_HELD, "shrink", 500, "every wait is answered", "every rank finishes"),
                seeds(FREED_ANSWERS, "shrink", 2_000, "every wait is answered", "every rank finishes"),
                seeds(SHRINK_ID, "shrink", 2_000, "ids never clash"),
                seeds(F2, "finalize", 1_000, "every rank finishes"),
                world(F3, "finalize-alone", "waits for ever"),
                world(F4, "finalize-news", "fenced itself"),
                seeds(F6, "finalize", 2_000, "every rank finishes"),
                seeds(F8, "finalize", 2_000, "every rank finishes"));
    }
}
