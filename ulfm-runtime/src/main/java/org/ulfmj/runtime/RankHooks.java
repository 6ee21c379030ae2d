package org.ulfmj.runtime;

/**
 * What a rank asks of the process, or of the test, that it lives in: all that its engine asks, and to be told of the
 * rank when it is made.
 */
public interface RankHooks extends EngineHooks {
    /**
     * The rank is made. No other method of these hooks has been called yet. A message may have come for the rank
     * already.
     */
    default void onStart(RankRuntime rank) {}
}
