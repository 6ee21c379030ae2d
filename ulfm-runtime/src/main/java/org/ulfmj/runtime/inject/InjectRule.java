package org.ulfmj.runtime.inject;

import java.util.SortedSet;

/**
 * One rule as the user wrote it: whom and when.
 *
 * @param ranks to be killed by number
 * @param drawn how many more are to be drawn
 * @param moment when
 */
public record InjectRule(SortedSet<Integer> ranks, int drawn, Moment moment) {}
