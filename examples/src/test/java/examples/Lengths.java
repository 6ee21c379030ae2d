package examples;

import java.util.Arrays;

/** A histogram of the durations of rounds, with a resolution of 3 percent. */
final class Lengths {
    private static final int BITS = 5;
    private static final int PARTS = 1 << BITS;

    private final long[] counts = new long[Long.SIZE * PARTS];

    void add(long ns) {
        counts[index(Math.max(ns, PARTS))]++;
    }

    private static int index(long ns) {
        int octave = Long.SIZE - 1 - Long.numberOfLeadingZeros(ns);
        return octave * PARTS + (int) (ns >>> octave - BITS & PARTS - 1);
    }

    private static double ns(int index) {
        return Math.scalb(1 + (index % PARTS + 0.5) / PARTS, index / PARTS);
    }

    void clear() {
        Arrays.fill(counts, 0);
    }

    /** The counts that are not 0, each as {@code index:count}, with a blank before each. */
    String text() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < counts.length; i++) {
            if (counts[i] > 0) {
                text.append(' ').append(i).append(':').append(counts[i]);
            }
        }
        return text.toString();
    }

    /** Adds the counts of a line that has text of {@link #text} in its fields from the second on. */
    void addFields(String... fields) {
        for (int i = 1; i < fields.length; i++) {
            int colon = fields[i].indexOf(':');
            counts[Integer.parseInt(fields[i].substring(0, colon))] += Long.parseLong(fields[i].substring(colon + 1));
        }
    }

    long count() {
        return Arrays.stream(counts).sum();
    }

    /** About the duration in nanoseconds that this share of all rounds does not exceed; about 1 without any round. */
    double percentile(double part) {
        long rest = (long) Math.ceil(part * count());
        for (int i = 0; i < counts.length; i++) {
            rest -= counts[i];
            if (rest <= 0) {
                return ns(i);
            }
        }
        return 0;
    }
}
