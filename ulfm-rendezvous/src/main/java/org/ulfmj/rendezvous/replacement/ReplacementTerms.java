package org.ulfmj.rendezvous.replacement;

/**
 * How many processes may take the place of failed ones, and the words for a user when no more are left.
 *
 * @param ranks the number of ranks of the job
 * @param restarts the largest number of restarts of each rank
 * @param spares the number of spares of the job
 * @param restartsOption where a user allows restarts: {@code --max-restarts}
 * @param noneBecause the words for a job without restarts and spares: why it has no replacement
 */
public record ReplacementTerms(int ranks, int restarts, int spares, String restartsOption, String noneBecause) {
    /** Whether any failed process may be replaced. */
    public boolean isAnyAllowed() {
        return restarts + spares > 0;
    }
}
