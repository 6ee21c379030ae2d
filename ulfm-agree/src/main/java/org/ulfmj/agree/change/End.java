package org.ulfmj.agree.change;

import org.ulfmj.detector.Evidence;

/**
 * How a process has ended, as the launcher tells it.
 *
 * @param evidence of its failure; null if it had finalized
 */
public record End(Evidence evidence) {
    public boolean isDeparture() {
        return evidence == null;
    }
}
