package org.ulfmj.benchmarks;

import java.util.Locale;

/**
 * One operation that is measured, at one size.
 *
 * @param work the operation, by the word that the programs understand
 * @param bytes of a message, of the vector of a broadcast or reduction, or of one part of an allgather or alltoall; 0
 *     for operations that carry no data
 * @param besideHog whether a process that is not part of the job wants a core during each round of this cell
 */
record Cell(String work, int bytes, boolean besideHog) {
    Cell(String work, int bytes) {
        this(work, bytes, false);
    }

    /** The name in the form {@code pp:64k}. */
    String name() {
        String name = bytes == 0 ? work : work + ":" + size("%dm", "%dk", "%d");
        return besideHog ? name + "+hog" : name;
    }

    /** The name for a reader. */
    String title() {
        String title =
                switch (work) {
                    case "pp", "ppw" -> "half round trip, " + size() + ", direct buffers" + rewritten();
                    case "ppa", "ppaw" -> "half round trip, " + size() + ", arrays" + rewritten();
                    case "pps", "ppsw" -> "half round trip, " + size() + ", slices of direct buffers" + rewritten();
                    case "rate" -> "time per message, " + size() + ", 64 in flight";
                    case "reduce-direct" -> "reduce, " + size() + ", direct buffers";
                    case "allreduce-direct" -> "allreduce, " + size() + ", direct buffers";
                    case "allreduce-compute" -> "allreduce, " + size() + ", then a computation of its length";
                    case "iallreduce-compute" -> "iallreduce, " + size() + ", beside a computation of its length";
                    case "allreduce-sleep" -> "allreduce, " + size() + ", then a sleep of its length";
                    case "iallreduce-sleep" -> "iallreduce, " + size() + ", beside a sleep of its length";
                    default -> bytes == 0 ? work : work + ", " + size();
                };
        return besideHog ? title + ", beside a foreign hog" : title;
    }

    /** The number of operations that one call in the programs stands for. The measured time is divided by it. */
    int parts() {
        return switch (work) {
            case "pp", "ppa", "pps", "ppw", "ppaw", "ppsw" -> 2;
            case "rate" -> 64;
            default -> 1;
        };
    }

    /**
     * How many calls at most warm up, before a last round of the warm-up that comes on top: fewer for larger messages,
     * and a sixteenth for {@code rate}. Collectives before or beside a computation or a sleep have more than other
     * operations of 4 MiB.
     */
    int warmUp() {
        boolean isBeside = work.endsWith("-compute") || work.endsWith("-sleep");
        int calls = bytes >= 4 << 20 && !isBeside
                ? 2_000
                : bytes >= 1 << 20 ? 5_000 : bytes >= 1 << 16 ? 50_000 : 1_000_000;
        return work.equals("rate") ? calls / 16 : calls;
    }

    /**
     * Returns what the title adds for an operation whose sender rewrites the message before each send; empty for other
     * operations.
     */
    private String rewritten() {
        return work.endsWith("w") ? ", rewritten before each send" : "";
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
