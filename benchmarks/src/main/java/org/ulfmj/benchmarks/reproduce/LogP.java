package org.ulfmj.benchmarks.reproduce;

import java.util.Locale;

/**
 * The costs of a message between two ranks, in nanoseconds, after the LogP model of Culler and others (1993).
 *
 * @param latencyNs L: from the sender's network interface to the receiver's
 * @param overheadNs o: how long a processor is busy with sending a message, and again with receiving it
 * @param gapNs g: least time between two sends, and between two receipts, of one network interface
 * @param perByteNs time that each byte adds on the way; the interface may send again only after the gap and the time of
 *     all bytes of the message, which run at the same time (the G of LogGP)
 */
public record LogP(double latencyNs, double overheadNs, double gapNs, double perByteNs) {
    public LogP {
        if (latencyNs < 0 || overheadNs < 0 || gapNs < 0 || perByteNs < 0) {
            throw new IllegalArgumentException(
                    "LogP costs must not be negative: " + latencyNs + ", " + overheadNs + ", " + gapNs);
        }
    }

    /** The same network, this many times slower. */
    public LogP times(double factor) {
        return new LogP(latencyNs * factor, overheadNs * factor, gapNs * factor, perByteNs * factor);
    }

    /** Returns the costs of the same network without the time that bytes take. */
    LogP withFreeBytes() {
        return new LogP(latencyNs, overheadNs, gapNs, 0);
    }

    /** From the start of a send until the receiver has the message: L + 2o, without the time of its bytes. */
    public double hopNs() {
        return latencyNs + 2 * overheadNs;
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "L = %.0f ns, o = %.0f ns, g = %.0f ns, %.2f ns a byte",
                latencyNs,
                overheadNs,
                gapNs,
                perByteNs);
    }
}
