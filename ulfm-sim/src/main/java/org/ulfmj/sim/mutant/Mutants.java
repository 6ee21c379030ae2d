package org.ulfmj.sim.mutant;

import java.util.List;

/**
 * The rules of the shipped protocols that have a counterexample without them, each with the mutant that leaves it out.
 * The names are those of the comments at the rules.
 */
public final class Mutants {
    private static final String AGREEMENT = "org.ulfmj.agree.EarlyReturningAgreement";
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
    public static final Mutant ASKED_IS_TO = Mutant.of("asked := to", AGREEMENT, "asked = to; //", "//");

    private Mutants() {}

    /** The rules without which the agreement is wrong. */
    public static List<Mutant> ofAgreement() {
        return List.of(R0, R3A2, R4B, R4C, R6_GATHERED, R7_TAKEOVER, R7_REPOLL, R9, ASKED_IS_TO);
    }
}
