package org.ulfmj.sim.uniform;

import java.util.List;
import org.ulfmj.sim.mutant.Mutant;

/** The rules of uniform agreement, each with the mutant that leaves it out. */
public final class UniformMutants {
    private static final String AGREEMENTS = "org.ulfmj.agree.Agreements";
    private static final String AGREEMENT = "org.ulfmj.agree.EarlyReturningAgreement";

    /** No return before a second agreement. */
    public static final Mutant U2 =
            Mutant.of("U2", AGREEMENTS, "if (decision.isOnly(Kind.AGREE_UNIFORM)) { // U2", "if (false) { // U2");

    /** No decision without a majority. */
    public static final Mutant QUORUM = Mutant.of(
            "R2 quorum", AGREEMENT, "if (!quorum.isMetWithout(value.failed())) { // R2 quorum", "if (false) { // R2");

    /** Half is no majority. */
    public static final Mutant MORE_THAN_HALF = Mutant.of(
            "more than half",
            "org.ulfmj.agree.Quorum",
            "2 * left(excluded.union(failed)) > electors",
            "2 * left(excluded.union(failed)) >= electors");

    /** What counts are those whom the last agreement left, not those whom this rank still holds for live. */
    public static final Mutant OF_WHOM_THE_LAST_LEFT = Mutant.of(
            "majority of whom the last agreement left",
            AGREEMENTS,
            "quorumOf(members, base)",
            "quorumOf(members, failed)");

    private UniformMutants() {}

    public static List<Mutant> all() {
        return List.of(U2, QUORUM, MORE_THAN_HALF, OF_WHOM_THE_LAST_LEFT);
    }
}
