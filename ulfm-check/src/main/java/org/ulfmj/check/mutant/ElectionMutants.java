package org.ulfmj.check.mutant;

import static org.ulfmj.sim.mutant.Mutant.without;

import java.util.List;
import org.ulfmj.sim.mutant.Mutant;

/** Mutants of the elected coordinator, each without one of its rules. */
final class ElectionMutants {
    private static final String ELECTION = "org.ulfmj.rendezvous.elect.Election";

    private static final String TXNS = "org.ulfmj.rendezvous.elect.ElectionTxns";

    private static final Mutant REVISION = without("C4, the revision", "a write compares the revision of the last one")
            .in(TXNS, ".ifModified(keys.state(), modified)\n                .thenPut", ".thenPut");

    private static final Mutant TERM = without("C4, the term", "a write compares the term of its coordinator")
            .in(
                    TXNS,
                    "return inTerm(term)\n                .ifModified",
                    "return new Txn()\n                .ifModified");

    private static final Mutant BY_VALUE = without("C3", "the term is compared, and not the value of the key")
            .in(
                    ELECTION,
                    "txns.write(term, modified, toStore)",
                    "new Txn().ifValue(txns.keys().office(), mine).ifModified(txns.keys().state(), modified)"
                            + ".thenPut(txns.keys().state(), toStore, 0)"
                            + ".elseGet(txns.keys().office()).elseGet(txns.keys().state())")
            .and("    private byte[] toStore;", "    private byte[] mine = {};\n    private byte[] toStore;")
            .and(
                    "address = host.getBytes(StandardCharsets.UTF_8);",
                    "address = host.getBytes(StandardCharsets.UTF_8);\n            mine = address;");

    private static final Mutant REREAD = without("C5, refused", "a write that is refused is not taken for done")
            .in(
                    ELECTION,
                    "boolean isFinished = what == Sent.FINISH && answer.read().get(1) == null;",
                    "boolean isFinished = true;");

    private static final Mutant UNANSWERED = without(
                    "C5, unanswered", "a write without an answer is not taken for done")
            .in(
                    ELECTION,
                    "retryNs = nowNs + me.retryNs();\n        } else if (answer.succeeded()) {\n            onWritten(",
                    "onWritten(what, modified);\n        } else if (answer.succeeded()) {\n            onWritten(");

    private static final Mutant FROM_STATE = without("C6", "a new coordinator goes on from the state that it reads")
            .in(
                    ELECTION,
                    "listener.onElected(state == null ? null : state.value());",
                    "listener.onElected(me.isPreferred() || state == null ? null : state.value());");

    private static final Mutant CAMPAIGN = without(
                    "C3, the campaign", "the lease of a campaign without an answer is ended")
            .in(ELECTION, "if (answer == null) {\n            lease.drop();", "if (answer == null) {");

    private static final Mutant REFUSED = without("C3, refused", "the lease of a campaign that was refused is ended")
            .in(ELECTION, "was carried out before.\n            lease.drop();", "was carried out before.");

    private static final Mutant LAID_DOWN = without("C3, wanted", "a rank lays the office down for a launcher")
            .in(ELECTION, "} else if (isWanted && !me.isPreferred()) {", "} else if (false) {");

    private static final Mutant HELD = without("C5, held", "outputs wait until their state is stored")
            .in("org.ulfmj.rendezvous.elect.HeldSteps", "next.add(output);", "output.run();");

    private static final Mutant LEASE = without(
                    "C5, the lease", "a coordinator does nothing once its lease may have ended")
            .in(
                    "org.ulfmj.rendezvous.elect.Elected",
                    "return untilNs != Election.NOT_HELD && nowNs - untilNs < 0;",
                    "return true;");

    private static final Mutant MUTE = without("J2, mute", "no silence is counted while outputs are held")
            .in(
                    "org.ulfmj.rendezvous.elect.Muteness",
                    "return isNew ? Change.BEGINS : Change.NONE;",
                    "return Change.NONE;");

    private static final Mutant RETURNS = without(
                    "J2, returns", "a process has time to find a new coordinator before it is judged")
            .in(
                    "org.ulfmj.rendezvous.silence.Patience",
                    "return member.isToReturn ? Math.max(ownNs, member.returnNs) : ownNs;",
                    "return timeoutNs;");

    private static final Mutant FOUND = without(
                    "J2, found", "a process is judged only if it could find its coordinator")
            .in("org.ulfmj.rendezvous.silence.SilenceJudge", "if (isHidden) {", "if (false) {");

    private static final Mutant CONFIRMED_BEFORE = without(
                    "J2, confirmed before",
                    "a process that has confirmed to another coordinator has time to find this one")
            .in("org.ulfmj.rendezvous.RendezvousCore", "returns.awaitIn(world.silences());", "// mutated");

    private static final Mutant ADDRESS = without("J2, address", "no process can find a coordinator without address")
            .in(ELECTION, "isFindable = isAnnounced && isAnswered;", "isFindable = stage == Stage.OFFICE;");

    private static final Mutant CONFIRMED = without("V8, held", "no time to confirm passes while the table is held")
            .in("org.ulfmj.rendezvous.RendezvousCore", "return isMuted || phase", "return phase");

    private static final Mutant RETURNED = without(
                    "V8, returns", "a process has time to find a new coordinator before it has to confirm")
            .in(
                    "org.ulfmj.rendezvous.RendezvousCore",
                    "run.confirmTimeoutNs() + returns.extraNs()",
                    "run.confirmTimeoutNs()");

    private static final Mutant NEWS = without("C6, news", "deaths and departures told so far are in the image")
            .in(
                    "org.ulfmj.rendezvous.News",
                    "out.putInt(sticky.size());\n        for (RendezvousMessage message : sticky) {",
                    "out.putInt(0);\n        for (RendezvousMessage message : List.<RendezvousMessage>of()) {");

    private static final Mutant RESERVED = without("C9", "incarnations that were given are in the image")
            .in("org.ulfmj.rendezvous.Incarnations", "out.putInt(given[slot])", "out.putInt(0)");

    private static final Mutant ROUND = without("C6, rounds", "the number of rounds is in the image")
            .in(
                    "org.ulfmj.rendezvous.RendezvousCore",
                    "out.putByte(phase.ordinal()).putInt(round);",
                    "out.putByte(phase.ordinal()).putInt(0);");

    private ElectionMutants() {}

    static List<Trial> trials() {
        return List.of(
                elected(REVISION, "one table a round", "what is started was reserved", "the healthy are kept"),
                elected(TERM, "only the one in office writes"),
                elected(BY_VALUE, "only the one in office writes"),
                elected(REREAD, "one table a round", "what is started was reserved", "the healthy are kept"),
                elected(
                        UNANSWERED,
                        "one table a round",
                        "what is started was reserved",
                        "the healthy live",
                        "the healthy are kept",
                        "the office is filled"),
                elected(FROM_STATE, "one table a round"),
                elected(CAMPAIGN, "has the office", "the job has not begun"),
                elected(REFUSED, "has the office", "the job has not begun"),
                elected(LAID_DOWN, "and the launcher lives"),
                elected(HELD, "one table a round", "what is started was reserved"),
                elected(LEASE, "only the one in office acts"),
                elected(MUTE, "the healthy live", "the healthy are kept"),
                elected(RETURNS, "the healthy live"),
                elected(FOUND, "the healthy live"),
                elected(CONFIRMED_BEFORE, "the healthy live"),
                elected(ADDRESS, "the healthy live", "the healthy are kept"),
                elected(CONFIRMED, "the healthy are kept"),
                elected(RETURNED, "the healthy are kept"),
                elected(NEWS, "was not told of the end of"),
                elected(RESERVED, "what is started was reserved"),
                elected(ROUND, "one table a round", "the healthy are kept"));
    }

    private static Trial elected(Mutant mutant, String... broken) {
        return new Trial(mutant, Trial.Where.SEEDS, "elected", "2..4", 10_000, List.of(broken));
    }
}
