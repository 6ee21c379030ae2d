package org.ulfmj.agree;

import org.ulfmj.detector.Evidence;

/**
 * How a process has ended, as the launcher tells it.
 *
 * @param evidence of its failure; null if it had finalized
 */
record End(Evidence evidence) {
    boolean isDeparture() {
        return evidence == null;
    }
}
