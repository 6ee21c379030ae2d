package org.ulfmj.agree;

/**
 * How long, and for what, a caller of replace() waits.
 *
 * @param strict whether the call fails, for everyone, if a slot stays empty; else the world goes on without that slot.
 *     Strict for one is strict for all
 * @param rounds this many offers are made at most after the first one; from 1
 * @param timeoutNs after this time no process waits for replacements any more; positive
 */
public record ReplaceTerms(boolean strict, int rounds, long timeoutNs) {
    public ReplaceTerms {
        if (rounds < 1) {
            throw new IllegalArgumentException("ulfm.replace.rounds is " + rounds + " and must be at least 1");
        }
        if (timeoutNs <= 0) {
            throw new IllegalArgumentException("ulfm.replace.timeout is " + timeoutNs + " ns and must be positive");
        }
    }
}
