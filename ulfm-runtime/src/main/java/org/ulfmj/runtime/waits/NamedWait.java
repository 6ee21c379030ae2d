package org.ulfmj.runtime.waits;

import org.ulfmj.runtime.progress.Completion;

/**
 * A completion that can say whom it waits for. What blocks a thread should be one; of any other only its text is shown.
 */
public interface NamedWait extends Completion {
    /** Tells what is still needed. Under the engine lock, while it is not done; changes nothing. */
    void explain(WaitNotes notes);
}
