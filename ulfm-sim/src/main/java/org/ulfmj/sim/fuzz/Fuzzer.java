package org.ulfmj.sim.fuzz;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.HexFormat;
import java.util.List;

/**
 * Gives one parser input after input. A fault is an exception that the target does not declare, an error, an input that
 * takes longer than the limit, one for which more memory is allocated than the target allows, and a sample that is
 * refused. An input that shows one of the first four is parsed again, up to three times in all, and any try without a
 * fault clears it: at first classes are loaded. From the second try on the time of the processor counts, as this
 * process may wait for a core. Not thread-safe, but {@link #now}.
 */
final class Fuzzer {
    static final long LIMIT_NS = 1_000_000_000;
    private static final int TRIES = 3;
    private static final int INPUTS_BETWEEN_LOOKS = 32;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** An input that is being parsed, for a thread that watches. */
    record Running(String target, byte[] input, long sinceNs) {
        String text() {
            return target + " with " + hex(input);
        }
    }

    /** The result of fuzzing one target. */
    record Count(String target, long inputs, long accepted, long refused, long mostBytes, String fault) {
        boolean isSound() {
            return fault == null;
        }
    }

    private final FuzzTarget target;
    private final String name;
    private final long limitNs;
    private volatile Running now;
    private long accepted;
    private long refused;
    private long mostBytes;

    Fuzzer(FuzzTarget target) {
        this(target, LIMIT_NS);
    }

    Fuzzer(FuzzTarget target, long limitNs) {
        this.target = target;
        this.limitNs = limitNs;
        this.name = target.getClass().getSimpleName();
    }

    /** The input that is being parsed; null if there is none. Any thread. */
    Running now() {
        return now;
    }

    /**
     * Parses the kept inputs, then the samples, and then inputs made from the seed until the time is up. The first
     * fault ends the run.
     */
    Count run(List<byte[]> kept, long seed, long forNs) {
        for (byte[] input : kept) {
            String fault = judge(input);
            if (fault != null) {
                return count("kept input " + hex(input) + ": " + fault);
            }
        }
        List<byte[]> samples = target.samples();
        Mutator mutator = new Mutator(target, seed);
        long endNs = System.nanoTime() + forNs;
        for (long number = 0; ; number++) {
            byte[] input = mutator.input(number);
            long acceptedBefore = accepted;
            String fault = judge(input);
            if (fault == null && number < samples.size() && accepted == acceptedBefore) {
                fault = "a sample is refused";
            }
            if (fault != null) {
                return count("seed " + seed + ", input " + number + " " + hex(input) + ": " + fault);
            }
            if (number % INPUTS_BETWEEN_LOOKS == 0 && number >= samples.size() && System.nanoTime() - endNs >= 0) {
                return count(null);
            }
        }
    }

    private Count count(String fault) {
        return new Count(name, accepted + refused, accepted, refused, mostBytes, fault);
    }

    /** Parses an input. Returns what is wrong with the parser; null if nothing is. */
    private String judge(byte[] input) {
        long capBytes = target.capBytes(input.length);
        String fault = null;
        for (int left = TRIES; left > 0; left--) {
            fault = judge(input, capBytes, left);
            if (fault == null) {
                return null;
            }
        }
        return fault;
    }

    private String judge(byte[] input, long capBytes, int triesLeft) {
        byte[] own = input.clone();
        boolean isAgain = triesLeft < TRIES;
        now = new Running(name, input, System.nanoTime());
        long startNs = clockNs(isAgain);
        long before = THREADS.getCurrentThreadAllocatedBytes();
        boolean isAccepted = true;
        try {
            target.parse(own);
        } catch (Throwable thrown) {
            if (!target.refusals().contains(thrown.getClass())) {
                return triesLeft == 1 ? thrown + " at " + place(thrown) : "not declared";
            }
            isAccepted = false;
        } finally {
            now = null;
        }
        long bytes = THREADS.getCurrentThreadAllocatedBytes() - before;
        long ns = clockNs(isAgain) - startNs;
        if (bytes > capBytes) {
            return bytes + " bytes allocated for " + input.length + ", allowed are " + capBytes;
        }
        if (ns > limitNs) {
            return "parsing took " + ns / 1_000_000 + " ms";
        }
        mostBytes = Math.max(mostBytes, bytes);
        accepted += isAccepted ? 1 : 0;
        refused += isAccepted ? 0 : 1;
        return null;
    }

    private static long clockNs(boolean isOfProcessor) {
        return isOfProcessor ? THREADS.getCurrentThreadCpuTime() : System.nanoTime();
    }

    private static String place(Throwable thrown) {
        StringBuilder text = new StringBuilder();
        StackTraceElement[] trace = thrown.getStackTrace();
        for (int i = 0; i < Math.min(trace.length, 8); i++) {
            text.append(i == 0 ? "" : " < ").append(trace[i]);
        }
        return text.toString();
    }

    private static String hex(byte[] input) {
        return HexFormat.of().formatHex(input);
    }
}
