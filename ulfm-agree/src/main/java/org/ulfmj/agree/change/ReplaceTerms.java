package org.ulfmj.agree.change;

/**
 * How long, and for what, a caller of replace() waits.
 *
 * @param strict whether the call fails at all members if a slot stays empty; otherwise the world goes on without that
 *     slot. If one caller is strict, the call is strict for all
 * @param rounds after how many rounds at the latest this caller does not want to wait any more; at least 1. The call
 *     goes on as long as another caller wants to wait
 * @param timeoutNs how long after its call this caller still wants to wait for replacements; positive
 */
public record ReplaceTerms(boolean strict, int rounds, long timeoutNs) implements ChangeTerms {
    public ReplaceTerms {
        if (rounds < 1) {
            throw new IllegalArgumentException("ulfm.replace.rounds is " + rounds + " and must be at least 1");
        }
        if (timeoutNs <= 0) {
            throw new IllegalArgumentException("ulfm.replace.timeout is " + timeoutNs + " ns and must be positive");
        }
    }

    /**
     * True for every call of replace(): the recovery mode makes such calls, and the terms do not tell them from a
     * program's own.
     */
    @Override
    public boolean isOfRecovery() {
        return true;
    }
}
