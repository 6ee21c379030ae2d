package org.ulfmj.runtime;

/** The one place in which a rank waits: every blocking call ends here. */
interface Progress {
    /**
     * Returns when {@code completion} is done. Called with the engine lock held once, which is let go and taken again
     * meanwhile.
     *
     * @throws Fault or the error of its death if this rank ends first
     */
    void await(Completion completion);
}
