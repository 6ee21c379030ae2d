package org.ulfmj.transport.tcp;

/**
 * How strong a fault of links is.
 *
 * @param lengthNs the length of a delay, or the time from one reset to the next; 0 for a single reset
 * @param spreadNs by how much a delay is longer or shorter than {@code lengthNs} at most
 * @param probability the probability with which the fault hits, from 0 to 1
 * @param bytesPerSecond how many bytes per second pass at most
 * @param most how often the fault happens at this rank at most; 0 for any number of times
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
