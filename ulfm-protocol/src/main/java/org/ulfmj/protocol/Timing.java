package org.ulfmj.protocol;

/**
 * The times of one job, in nanoseconds, the same at every rank. How they must follow each other is checked where the
 * options of a job are read.
 *
 * @param heartbeatPeriodNs η: how often a rank beats for its observers ({@code ulfm.fd.period})
 * @param detectorTimeoutNs δ: silence after which an observer declares a failure ({@code ulfm.fd.timeout})
 * @param linkRtoNs wait for an acknowledgement or a handshake before a connection is given up ({@code ulfm.link.rto})
 * @param linkBudgetNs wait without any progress before a link is reported lost ({@code ulfm.link.budget})
 */
public record Timing(long heartbeatPeriodNs, long detectorTimeoutNs, long linkRtoNs, long linkBudgetNs) {
    /** The detector timeout δ of a job whose detector is on and in which {@code ulfm.fd.timeout} is not set. */
    public static final long DEFAULT_DETECTOR_TIMEOUT_NS = 5_000_000_000L;

    private static final long MILLISECOND_NS = 1_000_000;

    public Timing {
        requirePositive("ulfm.fd.period", heartbeatPeriodNs);
        requirePositive("ulfm.fd.timeout", detectorTimeoutNs);
        requirePositive("ulfm.link.rto", linkRtoNs);
        requirePositive("ulfm.link.budget", linkBudgetNs);
    }

    /** Returns the times of a job of which only the detector timeout is set: the other times follow from it. */
    public static Timing fromTimeout(long detectorTimeoutNs) {
        long budgetNs = detectorTimeoutNs * 6 / 10;
        return new Timing(detectorTimeoutNs / 10, detectorTimeoutNs, budgetNs / 6, budgetNs);
    }

    private static void requirePositive(String option, long valueNs) {
        if (valueNs <= 0) {
            throw new IllegalArgumentException(option + " (" + text(valueNs) + ") must be positive");
        }
    }

    private static String text(long valueNs) {
        return valueNs % MILLISECOND_NS == 0 ? valueNs / MILLISECOND_NS + " ms" : valueNs + " ns";
    }
}
