package org.ulfmj.check.uniform;

/**
 * If two ranks return different results from the same call, the two have split: each lists the other as failed in one
 * of the two decisions of its call.
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
