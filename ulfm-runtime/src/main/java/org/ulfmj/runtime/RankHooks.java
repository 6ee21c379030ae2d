package org.ulfmj.runtime;

/**
 * The calls by which a rank reaches the process, or the test, that it lives in: all calls of its engine, and one when
 * the rank is made.
 */
public interface RankHooks extends EngineHooks {
    /**
     * Called when the rank has been made, under the engine lock, before its protocols and its progress thread start. A
     * message may have come for the rank already.
     */
    default void onStart(RankRuntime rank) {}
}
