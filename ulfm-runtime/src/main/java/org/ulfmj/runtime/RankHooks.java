package org.ulfmj.runtime;

/** What a rank asks of the process, or of the test, that it lives in: all that its engine asks, and to be known. */
public interface RankHooks extends EngineHooks {
    /** The rank is made, and nothing else of this has been called yet: a message may have come for it already. */
    default void onStart(RankRuntime rank) {}
}
