package org.ulfmj.testkit;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * A case of the table of errors: the failure, the revocation or both that happen before, during or after an operation
 * of rank 0.
 *
 * @param dead the process that dies
 * @param when the time of the death and of the revocation, relative to the operation
 * @param isAcked whether rank 0, and for an agreement each live rank, acknowledges the failures that it knows before
 *     the operation
 * @param isRevoked whether rank 3 revokes the communicator at that time
 */
record TableCase(Dead dead, When when, boolean isAcked, boolean isRevoked) {
    enum Dead {
        NONE,
        PEER,
        OTHER
    }

    enum When {
        /** Rank 0 knows of the death and the revocation when it begins the operation. */
        BEFORE,
        /** The death and the revocation come soon after rank 0 begins the operation, which may have ended by then. */
        DURING,
        /**
         * The operation comes before the death and the revocation (only the wait for the request of a message comes
         * after them); rank 0 then makes the call once more.
         */
        AFTER
    }

    private static final List<Boolean> EITHER = List.of(false, true);

    /**
     * Returns all cases, without those in which neither a death nor a revocation happens, and those in which a failure
     * is acknowledged though no rank has died.
     */
    static Stream<TableCase> all() {
        return Arrays.stream(Dead.values())
                .flatMap(dead -> Arrays.stream(When.values()).flatMap(when -> EITHER.stream()
                        .flatMap(acked -> EITHER.stream().map(revoked -> new TableCase(dead, when, acked, revoked)))))
                .filter(each -> each.hasDeath() || each.isRevoked && !each.isAcked);
    }

    boolean hasDeath() {
        return dead != Dead.NONE;
    }

    boolean isOf(When moment) {
        return when == moment;
    }

    @Override
    public String toString() {
        String death = hasDeath() ? dead + " dies" : "";
        String revocation = isRevoked ? (hasDeath() ? ", " : "") + "revoked" : "";
        return when + ": " + death + revocation + (hasDeath() ? isAcked ? ", acknowledged" : ", not acknowledged" : "");
    }
}
