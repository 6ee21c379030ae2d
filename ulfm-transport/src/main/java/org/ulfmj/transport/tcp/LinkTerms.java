package org.ulfmj.transport.tcp;

/**
 * How strong a fault of links is.
 *
 * @param lengthNs of a delay; the time between two resets, 0 for one alone
 * @param spreadNs by which a delay differs at most
 * @param probability which part of the frames is hit
 * @param bytesPerSecond that pass at most
 * @param most how often it happens at this rank at most; 0 for as often as it may
 */
public record LinkTerms(long lengthNs, long spreadNs, double probability, long bytesPerSecond, long most) {
    /** A fault that needs none. */
    static final LinkTerms NONE = lasting(0);

    static LinkTerms lasting(long lengthNs) {
        return new LinkTerms(lengthNs, 0, 1, 0, 0);
    }

    /** Whether a fault that has happened this often may happen again. */
    boolean allowAfter(long happened) {
        return most == 0 || happened < most;
    }
}
