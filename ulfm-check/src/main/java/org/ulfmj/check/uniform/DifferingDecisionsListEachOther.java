package org.ulfmj.check.uniform;

/**
 * Two ranks that return different results from the same call have split: each has the other in the failed sets of its
 * two decisions.
 */
final class DifferingDecisionsListEachOther extends ReturnPairs {
    DifferingDecisionsListEachOther(Returns returns) {
        super(returns);
    }

    @Override
    String wrongWith(Returns.Return earlier, Returns.Return later) {
        if (!earlier.differsFrom(later)) {
            return null;
        }
        return earlier.lists(later.rank()) && later.lists(earlier.rank())
                ? null
                : "they differ, and do not hold each other for failed";
    }
}
