package org.ulfmj.check.uniform;

/**
 * Uniform agreement: all ranks that return from a call return the same, also ranks that have died since, as long as no
 * running process was marked failed. Where an agreement needs a majority, that holds with any suspicions.
 */
final class NoReturnerDiffers extends ReturnPairs {
    private final Returns returns;
    private final boolean needsMajority;

    NoReturnerDiffers(Returns returns, boolean needsMajority) {
        super(returns);
        this.returns = returns;
        this.needsMajority = needsMajority;
    }

    @Override
    String wrongWith(Returns.Return earlier, Returns.Return later) {
        boolean mayDiffer = returns.wasAnySuspectedWrongly() && !needsMajority;
        return mayDiffer || !earlier.differsFrom(later)
                ? null
                : "they differ, and " + (needsMajority ? "a majority was asked for" : "no rank was suspected wrongly");
    }
}
