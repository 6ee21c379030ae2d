package org.ulfmj.check.mutant;

import static org.ulfmj.check.mutant.Trial.script;
import static org.ulfmj.check.mutant.Trial.seeds;
import static org.ulfmj.check.mutant.Trial.world;
import static org.ulfmj.sim.mutant.Mutant.without;

import java.util.List;
import org.ulfmj.sim.mutant.Mutant;

/** The agreement without one of its rules. */
public final class AgreementMutants {
    private static final String AGREEMENT = "org.ulfmj.agree.consensus.EarlyReturningAgreement";
    private static final String AGREEMENTS = "org.ulfmj.agree.consensus.Agreements";
    private static final String TREE = "org.ulfmj.agree.tree.AgreementTree";
    private static final String HOSTS = "org.ulfmj.agree.tree.HostsShape";
    private static final String VALUE = "org.ulfmj.agree.message.AgreementValue";
    private static final String CORE = "org.ulfmj.agree.SurvivorCore";

    public static final Mutant R0 = without("R0", "nothing is taken from a process that is held for failed")
            .in(CORE, "if (failures.hasFailed(from) && !rank.isObituaryOfMe(message)) { // R0", "if (false) { // R0");

    public static final Mutant R3A2 = without("R3a2", "a value that lists its receiver as failed ends the receiver")
            .in(AGREEMENT, "if (up.value().failed().contains(group.me())) { // R3a2", "if (false) { // R3a2");

    public static final Mutant R4B = without("R4b", "a rank that asks for the result is remembered")
            .in(AGREEMENT, "requesters = requesters.with(from); // R4b", "// R4b");

    public static final Mutant R4C = without("R4c", "a rank that is asked for the result sends its value again")
            .in(AGREEMENT, "resend(out); // R4c", "// R4c");

    public static final Mutant R6_GATHERED = without(
                    "R6 gathered", "the decision goes to all whose values were gathered")
            .in(AGREEMENT, "requesters.union(gathered); // R6", "requesters; // R6");

    public static final Mutant R7_TAKEOVER = without("R7 takeover", "a rank that becomes the root asks its children")
            .in(AGREEMENT, "ask(children(), out); // R7 takeover", "// R7 takeover");

    public static final Mutant R7_REPOLL = without(
                    "R7 re-poll", "when one that was asked dies, those inherited from it are asked")
            .in(AGREEMENT, "ask(children().minus(asked), out); // R7 re-poll", "// R7 re-poll");

    public static final Mutant R9 = without(
                    "R9", "no rank decides before all contributors have fenced whom the decision lists")
            .in(AGREEMENT, "if (!fenced.containsAll(value.failed())) { // R9", "if (false) { // R9");

    public static final Mutant ASKED_IS_TO = without(
                    "R9 asked := to", "a new round counts as having asked all whom it goes to")
            .in(AGREEMENT, "asked = to; //", "asked = SlotSet.EMPTY; //");

    public static final Mutant BLOCKING_ONLY = without(
                    "R8 blocking only", "only decisions of blocking calls change the base of later trees")
            .in(
                    AGREEMENTS,
                    "if (decision.isOfOneKind() && decision.kinds().firstKey().isBlocking()) { // R8",
                    "if (true) { // R8");

    private static final Mutant R3A = without("R3a", "a rank that still asks about a decided agreement is answered")
            .in(
                    AGREEMENTS,
                    "} else if (log.get(sequence) != null) {\n            answer(sequence, slot, out);",
                    "} else if (log.get(sequence) != null) {\n            return;");

    private static final Mutant R3B = without("R3b", "a value that comes before its receiver has called is kept")
            .in(
                    AGREEMENT,
                    "} else if (state == State.WAITING) {\n            // The sender's value is dropped",
                    "} else if (state != State.GATHERING) {\n            // The sender's value is dropped");

    private static final Mutant R5_LISTED = without("R5 listed", "a decision that lists its receiver ends the receiver")
            .in(AGREEMENT, "if (decision.failed().contains(group.me())) {", "if (false) {");

    private static final Mutant R5_UNENTERED = without(
                    "R5 not entered", "a decision taken before its receiver has called ends the receiver")
            .in(
                    AGREEMENT,
                    "} else if (state == State.UNENTERED) {\n            group.fence",
                    "} else if (state == State.UNENTERED) {\n            return;\n        } else if (false) {\n            group.fence");

    private static final Mutant R6_REQUESTERS = without(
                    "R6 requesters", "the decision goes to all ranks that have asked for it")
            .in(AGREEMENT, "requesters.union(gathered); // R6", "gathered; // R6");

    private static final Mutant R7_RESEND = without(
                    "R7 new parent", "whose parent dies sends its value to the next one")
            .in(
                    AGREEMENT,
                    "if (parent != group.me()) {\n            passUp(parent, out);\n            return;\n        }\n"
                            + "        state = State.GATHERING;",
                    "if (parent != group.me()) {\n            waitingFor = parent;\n            return;\n        }\n"
                            + "        state = State.GATHERING;");

    private static final Mutant R9_INTERSECTION = without(
                    "R9 what all have fenced", "a value says whom all in it have fenced, not whom any of them has")
            .in(
                    AGREEMENT,
                    "SlotSet fencedHere = fenced.intersection(group.failed());",
                    "SlotSet fencedHere = SlotSet.ALL;");

    public static final Mutant PURE_TREE = without(
                    "E.3 pure tree", "a rank that becomes the root has the children that the dead root had")
            .in(TREE, "if (slot == root(gone)) {", "if (false) {");

    private static final Mutant AGREED_BASE = without(
                    "E.3 agreed base", "a tree leaves out what was agreed on before, not what one rank knows")
            .in(AGREEMENTS, "new AgreementTree(members, base", "new AgreementTree(members, failed");

    private static final Mutant LEADERS = without(
                    "E.3 leaders", "the leader of a host waits for the leaders of the hosts below")
            .in(
                    HOSTS,
                    "within[place] == 0 ? BINARY.children(host, starts.length - 1) : new int[0]; // E.3",
                    "new int[0]; // E.3");

    private static final Mutant ACKNOWLEDGED_BY_ALL = without(
                    "E.2 acknowledged", "a failure counts as acknowledged if every contributor has acknowledged it")
            .in(VALUE, "acknowledged.intersection(other.acknowledged)", "acknowledged.union(other.acknowledged)");

    private static final Mutant RETURN_CODE = without(
                    "E.2 return code", "a failure that is not acknowledged raises an error")
            .in(VALUE, "!acknowledged.containsAll(failed), failed", "false, failed");

    private static final Mutant FLAGS =
            without("E.2 flags", "the result is the AND of all flags").in(VALUE, "known & value", "value");

    private static final Mutant SECOND = without(
                    "E.11 second", "the second value is the AND of all flags of an inter-communicator's second group")
            .in(VALUE, "second & other.second", "other.second");

    private static final Mutant APART = without(
                    "E.11 apart", "the flags of the two groups of an inter-communicator are kept apart")
            .in("org.ulfmj.agree.message.Contribution", "isOfFirst ? flag : -1", "flag");

    private static final Mutant COLLECT_FROM = without(
                    "E.7 collected from", "a decision is dropped only once every contributor stores it")
            .in(VALUE, "Math.max(storedFrom, other.storedFrom)", "Math.min(storedFrom, other.storedFrom)");

    private static final Mutant COLLECT_TO = without(
                    "E.7 collected to", "a decision is dropped only once every contributor has it")
            .in(VALUE, "Math.min(storedTo, other.storedTo)", "Math.max(storedTo, other.storedTo)");

    private AgreementMutants() {}

    /**
     * Returns the agreement without rule R9: a rank does not learn failures from the values that its children send up,
     * and the root neither marks the processes that its value lists as failed nor checks which ranks had marked which
     * others.
     */
    public static Mutant beforeR9() {
        return without("before R9", "values teach nothing, and no rank looks which rank had fenced which")
                .in(AGREEMENT, "learn(up.value().failed(), from, out);", "// a value teaches nothing")
                .and("if (!unheard.isEmpty()) {\n            // Marking", "if (false) {\n            // Marking")
                .and("if (!fenced.containsAll(value.failed())) { // R9", "if (false) { // R9");
    }

    static List<Trial> trials() {
        return List.of(
                script(R0, "ghostDecision", "1 holds"),
                script(R3A2, "forgedValueListsItsReceiver", "mark itself failed"),
                script(R4B, "forgottenRequest", "1 waits for ever"),
                seeds(R4C, "agree", 20_000, "every rank finishes"),
                script(beforeR9().and(R6_GATHERED), "forgottenContributor", "3 waits for ever"),
                world(R7_TAKEOVER, "agree-news", "1 waits for ever"),
                script(R7_REPOLL, "inheritedFromOneThatWasAsked", "1 waits for ever"),
                script(R9, "decidedWithOneThatStillObeyedTheExcluded", "2 holds"),
                script(ASKED_IS_TO, "newRoundWithOneThatDies", "1 waits for ever"),
                script(BLOCKING_ONLY, "baseOfOverlappingCalls", "0 waits for ever"),
                world(R3A, "agree-news", "waits for ever"),
                world(R3B, "agree-news", "waits for ever"),
                script(R5_LISTED, "forgedDecisionListsItsReceiver", "mark itself failed"),
                script(R5_UNENTERED, "forgedDecisionBeforeTheCall", "2 goes on"),
                world(R6_REQUESTERS, "agree-news", "waits for ever"),
                world(R7_RESEND, "agree-news", "waits for ever"),
                script(R9_INTERSECTION, "decidedWithOneThatStillObeyedTheExcluded", "2 holds"),
                world(PURE_TREE, "agree-news", "is missing in it"),
                world(AGREED_BASE, "agree-news", "waits for ever"),
                world(LEADERS, "agree-hosts-suspicion", "is missing in it"),
                world(ACKNOWLEDGED_BY_ALL, "agree-news", "not all have acknowledged"),
                world(RETURN_CODE, "agree-news", "not all have acknowledged"),
                world(COLLECT_FROM, "agree-overlapping", "it is dropped"),
                world(COLLECT_TO, "agree-overlapping", "it is dropped"),
                world(FLAGS, "agree-news", "is missing in it"),
                world(SECOND, "agree-groups", "is missing in it"),
                world(APART, "agree-groups", "counts for the other group"));
    }
}
