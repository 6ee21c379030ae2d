package org.ulfmj.runtime.inject;

/**
 * How strong a fault is.
 *
 * @param lengthNs {@code ms=}: a delay, or the time between two resets; 0 if not given
 * @param spreadNs the number behind ±: how much longer or shorter each single one may be
 * @param probability {@code p=}: which part of the frames is hit
 * @param bytesPerSecond {@code rate=}; 0 if not given
 * @param code {@code code=}: an exit code
 * @param most {@code n=}: how often at most; 0 for as often as it happens
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

    /** The terms as a rule writes them, each behind a comma. */
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
