package org.ulfmj.runtime.inject;

import java.util.SortedSet;

/**
 * One rule as the user wrote it: which ranks are to be killed, and when.
 *
 * @param that are named by number
 * @param drawn how many more ranks are to be drawn
 * @param incarnation which process of the slot: 0 the first;
 *     {@link org.ulfmj.runtime.options.FaultTrigger#EVERY_INCARNATION} for all
 * @param moment when
 */
public record InjectRule(SortedSet<Integer> ranks, int drawn, int incarnation, Moment moment) {}
