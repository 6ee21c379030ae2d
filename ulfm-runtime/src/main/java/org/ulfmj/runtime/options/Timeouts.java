package org.ulfmj.runtime.options;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.ulfmj.protocol.Timing;

/**
 * The timeouts of a job: their defaults, some of which follow from what the user has set, and the rules that keep the
 * layers of time in order. A broken rule of E2 to E8 refuses the job, or is a warning in one case of E4; the message
 * names the options, their values and the rule. W1 and W2 are warnings. Rule E1, that each value is finite and above
 * zero, is kept by the ranges in {@link KnownOptions}; W3, that all ranks have the same values, by the hash of the
 * options in each handshake.
 *
 * <pre>
 *   link.rto &lt; link.budget &lt; fd.timeout &lt; silence.limit &lt; progress.limit
 *                            fd.timeout &lt; rdzv.lease         rdzv.confirm &lt; rdzv.join
 * </pre>
 *
 * <p>A layer that is absent is not checked: without heartbeats ({@code ulfm.fd=off}) nothing is compared with the
 * detector's timeout, and links that do not dial again ({@code ulfm.link.retry=off}) need no room for attempts.
 */
final class Timeouts {
    /**
     * The longest wait between two attempts to dial. The wait is shorter where a sixth of a link's budget is shorter.
     */
    private static final long MOST_BACKOFF_NS = 250_000_000;

    private static final long SECOND_NS = 1_000_000_000;
    private static final long DEFAULT_LEASE_NS = 15 * SECOND_NS;

    /** The options of the detector's times. Without a detector the timeout has its greatest value, a day. */
    private static final OptionDefinition[] OF_DETECTOR = {KnownOptions.FD_TIMEOUT, KnownOptions.FD_PERIOD};

    /**
     * The values of options by name. The constructor adds the timeouts that the user has not set, and replaces the
     * detector's times if there is no detector.
     */
    private final Map<String, Long> values;

    private final boolean detects;
    private final boolean resumes;
    private final List<String> warnings = new ArrayList<>();

    /**
     * Derives the timeouts that the user has not set, and checks the timeouts against each other.
     *
     * @param values of options by name; gets those that are not set, and other times of the detector if silence is not
     *     judged
     * @param detects whether silence is judged ({@code ulfm.fd})
     * @param resumes whether a lost connection is opened anew ({@code ulfm.link.retry})
     * @throws IllegalArgumentException if two values do not fit each other
     */
    Timeouts(Map<String, Long> values, boolean detects, boolean resumes) {
        this.values = values;
        this.detects = detects;
        this.resumes = resumes;
        derive();
        checkLinks();
        checkDetector();
        checkLimits();
        checkRendezvous();
    }

    /** The times that the protocols need. */
    Timing timing() {
        return new Timing(
                value(KnownOptions.FD_PERIOD),
                value(KnownOptions.FD_TIMEOUT),
                value(KnownOptions.LINK_RTO),
                value(KnownOptions.LINK_BUDGET));
    }

    /** Warnings about timeouts: sentences for the user, to be shown once per job. */
    List<String> warnings() {
        return warnings;
    }

    private void derive() {
        long timeoutNs = Timing.DEFAULT_DETECTOR_TIMEOUT_NS;
        if (detects) {
            byDefault(KnownOptions.FD_TIMEOUT, timeoutNs);
            timeoutNs = value(KnownOptions.FD_TIMEOUT);
        } else {
            turnOffDetector();
        }
        byDefault(KnownOptions.FD_PERIOD, timeoutNs / 10);
        byDefault(KnownOptions.LINK_BUDGET, timeoutNs * 6 / 10);
        byDefault(KnownOptions.LINK_RTO, value(KnownOptions.LINK_BUDGET) / 6);
        byDefault(KnownOptions.RDZV_JOIN, 600 * SECOND_NS);
        byDefault(KnownOptions.RDZV_CONFIRM, 10 * SECOND_NS);
        byDefault(KnownOptions.RDZV_LEASE, Math.max(DEFAULT_LEASE_NS, 3 * timeoutNs));
        byDefault(KnownOptions.RDZV_KEEPALIVE, value(KnownOptions.RDZV_LEASE) / 5);
        byDefault(KnownOptions.SILENCE_LIMIT, OptionDefinition.OFF);
        byDefault(KnownOptions.PROGRESS_LIMIT, OptionDefinition.OFF);
    }

    /**
     * Sets the detector's timeout to its greatest value, a day, and its period to a third of that. The default times of
     * links do not follow from these.
     */
    private void turnOffDetector() {
        long mostNs = KnownOptions.FD_TIMEOUT.most();
        for (OptionDefinition time : OF_DETECTOR) {
            long offNs = time == KnownOptions.FD_TIMEOUT ? mostNs : mostNs / 3;
            Long given = values.put(time.name(), offNs);
            if (given != null && given != offNs) {
                warnings.add(time.name() + " has no effect, because ulfm.fd is off");
            }
        }
    }

    private void checkLinks() {
        if (!resumes) {
            return;
        }
        requireBelow(KnownOptions.LINK_RTO, KnownOptions.LINK_BUDGET, "a link needs time for a second attempt", "E2");
        long budgetNs = value(KnownOptions.LINK_BUDGET);
        long backoffNs = Math.min(MOST_BACKOFF_NS, budgetNs / 6);
        if (budgetNs < value(KnownOptions.LINK_RTO) + 3 * backoffNs) {
            throw refused(
                    named(KnownOptions.LINK_BUDGET) + " must be at least " + named(KnownOptions.LINK_RTO)
                            + " plus three waits of " + Durations.text(backoffNs) + " between attempts to dial",
                    "E3");
        }
    }

    private void checkDetector() {
        if (!detects) {
            return;
        }
        OptionDefinition budget = KnownOptions.LINK_BUDGET;
        OptionDefinition timeout = KnownOptions.FD_TIMEOUT;
        if (resumes) {
            requireBelow(budget, timeout, "a rank must not be held for failed while its link may be restored", "E4");
        } else if (value(budget) >= value(timeout)) {
            warn(
                    named(budget) + " is not below " + named(timeout) + ": a rank is then judged silent before its link"
                            + " counts as lost",
                    "E4");
        }
        if (value(KnownOptions.FD_PERIOD) > value(timeout) / 3) {
            throw refused(
                    named(KnownOptions.FD_PERIOD) + " must be at most a third of " + named(timeout)
                            + ": two heartbeats may be late",
                    "E5");
        }
        requireBelow(timeout, KnownOptions.RDZV_LEASE, "the detector must speak before a lease ends", "E6");
        if (value(timeout) < SECOND_NS) {
            warn(named(timeout) + " is below 1s: a long pause of a JVM may then be taken for its death", "W1");
        }
    }

    private void checkLimits() {
        boolean hasSilence = value(KnownOptions.SILENCE_LIMIT) != OptionDefinition.OFF;
        boolean hasProgress = value(KnownOptions.PROGRESS_LIMIT) != OptionDefinition.OFF;
        String dead = "a process that is dead or stands still must be known before a program is taken for hung";
        if (hasSilence && detects) {
            requireBelow(KnownOptions.FD_TIMEOUT, KnownOptions.SILENCE_LIMIT, dead, "E7");
        }
        if (hasProgress && detects) {
            requireBelow(KnownOptions.FD_TIMEOUT, KnownOptions.PROGRESS_LIMIT, dead, "E7");
        }
        if (hasSilence && hasProgress) {
            requireBelow(
                    KnownOptions.SILENCE_LIMIT,
                    KnownOptions.PROGRESS_LIMIT,
                    "the job would be ended before a silent rank is found",
                    "E7");
        }
    }

    private void checkRendezvous() {
        requireBelow(KnownOptions.RDZV_CONFIRM, KnownOptions.RDZV_JOIN, "to confirm is the last part of joining", "E8");
        if (value(KnownOptions.RDZV_LEASE) < 3 * value(KnownOptions.RDZV_KEEPALIVE)) {
            warn(
                    named(KnownOptions.RDZV_LEASE) + " is below three times " + named(KnownOptions.RDZV_KEEPALIVE)
                            + ", and a third of the lease is taken instead",
                    "W2");
        }
    }

    private void requireBelow(OptionDefinition low, OptionDefinition high, String why, String rule) {
        if (value(low) >= value(high)) {
            throw refused(named(low) + " must be below " + named(high) + ": " + why, rule);
        }
    }

    private static IllegalArgumentException refused(String what, String rule) {
        return new IllegalArgumentException(what + " (rule " + rule + ")");
    }

    private void warn(String what, String rule) {
        warnings.add(what + " (rule " + rule + ")");
    }

    private String named(OptionDefinition definition) {
        return definition.name() + " (" + definition.text(value(definition)) + ")";
    }

    private void byDefault(OptionDefinition definition, long value) {
        values.putIfAbsent(definition.name(), value);
    }

    private long value(OptionDefinition definition) {
        return values.get(definition.name());
    }
}
