package org.ulfmj.runtime.waits;

import org.ulfmj.runtime.progress.Completion;

/**
 * A completion that can say what it waits for, which ranks for instance. Every completion that blocks a thread should
 * be a named wait: for others a report shows only their text.
 */
public interface NamedWait extends Completion {
    /** Notes what the wait still needs, without changing the wait. Called under the engine lock. */
    void explain(WaitNotes notes);
}
