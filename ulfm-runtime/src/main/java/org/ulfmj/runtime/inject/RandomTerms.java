package org.ulfmj.runtime.inject;

import java.util.List;
import java.util.SortedSet;

/**
 * What a {@code random} rule leaves to the seed.
 *
 * @param max how many ranks may end at most
 * @param keep ranks that no drawn fault is for
 * @param everyNs the mean time between two faults; 0 for {@code max} faults anywhere in the time
 * @param of the actions to choose from
 * @param longestNs how long a fault lasts at most that has an end
 */
record RandomTerms(int max, SortedSet<Integer> keep, long everyNs, List<FaultAction> of, long longestNs) {}
