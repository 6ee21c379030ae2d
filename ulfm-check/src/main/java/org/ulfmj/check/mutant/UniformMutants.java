package org.ulfmj.check.mutant;

import static org.ulfmj.sim.mutant.Mutant.without;

import java.util.List;
import org.ulfmj.sim.mutant.Mutant;

/** The agreement without one of the rules that a uniform agreement, or one by a majority, adds. */
public final class UniformMutants {
    private static final String AGREEMENTS = "org.ulfmj.agree.consensus.Agreements";
    private static final String AGREEMENT = "org.ulfmj.agree.consensus.EarlyReturningAgreement";

    public static final Mutant U2 = without(
                    "U2", "a uniform agreement does not return before a second one has confirmed it")
            .in(AGREEMENTS, "if (decision.isUniform()) { // U2", "if (false) { // U2");

    public static final Mutant QUORUM = without(
                    "R2 quorum", "where a majority is asked for no rank decides without one")
            .in(AGREEMENT, "if (!group.mayDecide(quorum, value.failed())) { // R2 quorum", "if (false) { // R2");

    public static final Mutant MORE_THAN_HALF = without("R2 more than half", "half is no majority")
            .in(
                    "org.ulfmj.agree.consensus.Quorum",
                    "2 * left(excluded.union(failed)) > electors",
                    "2 * left(excluded.union(failed)) >= electors");

    public static final Mutant OF_WHOM_THE_LAST_LEFT = without(
                    "R2 electors",
                    "a majority of whom the last agreement left, not of whom one rank still holds for live")
            .in(AGREEMENTS, "quorumOf(members, base)", "quorumOf(members, failed)");

    private UniformMutants() {}

    public static List<Mutant> all() {
        return List.of(U2, QUORUM, MORE_THAN_HALF, OF_WHOM_THE_LAST_LEFT);
    }
}
