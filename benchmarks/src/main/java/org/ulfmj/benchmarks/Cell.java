package org.ulfmj.benchmarks;

import java.util.Locale;

/**
 * One thing that is measured: a word that the programs understand, and a size.
 *
 * @param bytes of a message, or of a rank's part in a collective; 0 for those that carry nothing
 * @param besideHog another process wants a core all the time
 */
record Cell(String work, int bytes, boolean besideHog) {
    Cell(String work, int bytes) {
        this(work, bytes, false);
    }

    /** As {@code pp:64k}. */
    String name() {
        String name = bytes == 0 ? work : work + ":" + size("%dm", "%dk", "%d");
        return besideHog ? name + "+hog" : name;
    }

    /** What a reader calls it. */
    String title() {
        String title =
                switch (work) {
                    case "pp" -> "half round trip, " + size() + ", direct buffers";
                    case "ppa" -> "half round trip, " + size() + ", arrays";
                    case "rate" -> "time per message, " + size() + ", 64 in flight";
                    default -> bytes == 0 ? work : work + ", " + size();
                };
        return besideHog ? title + ", beside a foreign hog" : title;
    }

    /** The operations that one call in the programs stands for: what is measured is divided by it. */
    int parts() {
        return switch (work) {
            case "pp", "ppa" -> 2;
            case "rate" -> 64;
            default -> 1;
        };
    }

    /**
     * Calls before the first that is measured; by count, because cold code has no fixed time. So many, because with two
     * cores for all ranks the compilers are at it for the first few hundred thousand small messages.
     */
    int warmUp() {
        int calls = bytes >= 4 << 20 ? 300 : bytes >= 1 << 20 ? 5_000 : bytes >= 1 << 16 ? 10_000 : 200_000;
        return work.equals("rate") ? calls / 16 : calls;
    }

    private String size() {
        return size("%d MiB", "%d KiB", "%d B");
    }

    private String size(String ofMebibytes, String ofKibibytes, String ofBytes) {
        return bytes >= 1 << 20
                ? String.format(Locale.ROOT, ofMebibytes, bytes >> 20)
                : bytes >= 1 << 10
                        ? String.format(Locale.ROOT, ofKibibytes, bytes >> 10)
                        : String.format(Locale.ROOT, ofBytes, bytes);
    }
}
