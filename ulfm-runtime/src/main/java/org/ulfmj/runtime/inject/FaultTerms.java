package org.ulfmj.runtime.inject;

/**
 * The numbers of a rule that say how strong its fault is.
 *
 * @param lengthNs {@code ms=}: a delay, the time between two resets, or, of a {@code random} rule, how long at most a
 *     drawn fault lasts; 0 if not given
 * @param spreadNs the number behind ±: by how much, at most, each delay is longer or shorter than {@code lengthNs}
 * @param probability {@code p=}: the probability with which the fault hits each time, from 0 to 1
 * @param bytesPerSecond {@code rate=}; 0 if not given
 * @param code {@code code=}: an exit code
 * @param most {@code n=}: how often, at most, the fault happens at each rank; 0 for no limit
 */
public record FaultTerms(long lengthNs, long spreadNs, double probability, long bytesPerSecond, int code, long most) {
    /** Where a rule gives none. */
    public static final FaultTerms NONE = new FaultTerms(0, 0, 1, 0, 1, 0);

    private static final long MS_NS = 1_000_000;

    FaultTerms lasting(long newLengthNs, long newSpreadNs) {
        return new FaultTerms(newLengthNs, newSpreadNs, probability, bytesPerSecond, code, most);
    }

    FaultTerms hitting(double newProbability) {
        return new FaultTerms(lengthNs, spreadNs, newProbability, bytesPerSecond, code, most);
    }

    FaultTerms passing(long newBytesPerSecond) {
        return new FaultTerms(lengthNs, spreadNs, probability, newBytesPerSecond, code, most);
    }

    FaultTerms ending(int newCode) {
        return new FaultTerms(lengthNs, spreadNs, probability, bytesPerSecond, newCode, most);
    }

    FaultTerms atMost(long newMost) {
        return new FaultTerms(lengthNs, spreadNs, probability, bytesPerSecond, code, newMost);
    }

    /** Returns the terms that differ from {@link #NONE} as a rule writes them, each behind a comma. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        if (lengthNs > 0) {
            text.append(",ms=").append(lengthNs / MS_NS);
            if (spreadNs > 0) {
                text.append('±').append(spreadNs / MS_NS);
            }
        }
        if (probability != NONE.probability) {
            text.append(",p=").append(probability);
        }
        if (bytesPerSecond > 0) {
            text.append(",rate=").append(bytesPerSecond).append("B/s");
        }
        if (code != NONE.code) {
            text.append(",code=").append(code);
        }
        if (most > 0) {
            text.append(",n=").append(most);
        }
        return text.toString();
    }
}
