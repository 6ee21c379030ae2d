package org.ulfmj.benchmarks;

import java.util.Locale;

/**
 * One thing that is measured: a word that the programs understand, and a size.
 *
 * @param bytes of a message, or of a rank's part in a collective; 0 for those that carry nothing
 */
record Cell(String work, int bytes) {
    /** As {@code pp:64k}. */
    String name() {
        if (bytes == 0) {
            return work;
        }
        return work + ":"
                + (bytes >= 1 << 20 ? (bytes >> 20) + "m" : bytes >= 1 << 10 ? (bytes >> 10) + "k" : bytes + "");
    }

    /** What a reader calls it. */
    String title() {
        return switch (work) {
            case "pp" -> "half round trip, " + size() + ", direct buffers";
            case "ppa" -> "half round trip, " + size() + ", arrays";
            case "rate" -> "time per message, " + size() + ", 64 in flight";
            case "barrier" -> "barrier";
            default -> work + ", " + size();
        };
    }

    /** The operations that one call in the programs stands for: what is measured is divided by it. */
    int parts() {
        return switch (work) {
            case "pp", "ppa" -> 2;
            case "rate" -> 64;
            default -> 1;
        };
    }

    /** Calls before the first that is measured; by count, because cold code has no fixed time. */
    int warmUp() {
        int calls = bytes >= 1 << 20 ? 60 : bytes >= 1 << 16 ? 1_500 : 30_000;
        return work.equals("rate") ? calls / 16 : calls;
    }

    private String size() {
        return bytes >= 1 << 20
                ? String.format(Locale.ROOT, "%d MiB", bytes >> 20)
                : bytes >= 1 << 10 ? String.format(Locale.ROOT, "%d KiB", bytes >> 10) : bytes + " B";
    }
}
