package org.ulfmj.testkit;

import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/** Describes a program that does not end: where its ranks are and which ranks they wait for. */
final class HangDump {
    private static final long DESCRIBE_MS = 2_000;

    private HangDump() {}

    static String of(List<LocalRank> ranks) {
        StringBuilder text = new StringBuilder();
        for (LocalRank rank : ranks) {
            text.append("rank ").append(rank.id()).append(": ");
            if (rank.thread() == null) {
                text.append("about to begin\n");
                continue;
            }
            if (!rank.thread().isAlive()) {
                text.append(rank.outcome()).append('\n');
                continue;
            }
            text.append("running\n");
            for (StackTraceElement frame : rank.thread().getStackTrace()) {
                text.append("    at ").append(frame).append('\n');
            }
            text.append("  waits: ").append(describeWaits(rank)).append('\n');
        }
        return text.toString();
    }

    /**
     * Lets a helper thread describe what a rank waits for, for at most two seconds: where ranks hang, a rank may hold
     * the lock that the description needs.
     */
    private static String describeWaits(LocalRank rank) {
        AtomicReference<String> waits = new AtomicReference<>("(its engine does not answer)");
        Thread thread = new Thread(() -> waits.set(rank.runtime().waits().describe()), "describe-waits");
        thread.setDaemon(true);
        thread.start();
        try {
            thread.join(DESCRIBE_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return waits.get();
    }
}
