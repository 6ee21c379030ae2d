package org.ulfmj.runtime.inject;

import java.util.List;
import java.util.SortedSet;

/**
 * The limits within which the seed draws the faults of a {@code random} rule.
 *
 * @param max how many ranks may end at most
 * @param keep ranks that no drawn fault of a rank is for; faults of links may be at their links
 * @param everyNs the mean time between two faults; 0 for {@code max} faults anywhere in the time. Not used for faults
 *     in calls, which are {@code max}
 * @param of the actions to choose from
 * @param longestNs how long, at most, a fault lasts that has a duration; 50 ms if this is less
 */
record RandomTerms(int max, SortedSet<Integer> keep, long everyNs, List<FaultAction> of, long longestNs) {}
