package org.ulfmj.runtime.waits;

import org.ulfmj.runtime.progress.Completion;

/**
 * A completion that can say whom it waits for. A completion that blocks a thread should be a named wait: of any other
 * only the text is shown.
 */
public interface NamedWait extends Completion {
    /**
     * Tells what the wait still needs, and changes nothing. Called under the engine lock, while the wait is not done.
     */
    void explain(WaitNotes notes);
}
