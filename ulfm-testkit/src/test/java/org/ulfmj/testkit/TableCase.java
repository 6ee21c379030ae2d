package org.ulfmj.testkit;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * What happens to a communicator while rank 0 has an operation with rank 1 on it.
 *
 * @param dead the process that dies
 * @param when it dies, and the communicator is revoked, seen from the operation
 * @param isAcked whether rank 0 has acknowledged the failures that it knew before the operation
 * @param isRevoked whether rank 3 revokes the communicator at that moment
 */
record TableCase(Dead dead, When when, boolean isAcked, boolean isRevoked) {
    enum Dead {
        NONE,
        PEER,
        OTHER
    }

    enum When {
        /** Rank 0 knows it when it begins. */
        BEFORE,
        /** Rank 0 waits in the operation. */
        DURING,
        /** The operation has completed; rank 0 has not yet asked for its request, or calls again. */
        AFTER
    }

    private static final List<Boolean> EITHER = List.of(false, true);

    /**
     * All of them; nothing happens in a case without death and revocation, and without a death nothing is acknowledged.
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
