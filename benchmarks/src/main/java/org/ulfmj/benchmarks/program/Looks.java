package org.ulfmj.benchmarks.program;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * Looks about every 2 ms which of our methods a thread is in. A flight recording gives no sample while a thread copies
 * memory. A look waits until the copy has ended, and then sees the method that the thread comes back to. The result is
 * the number of looks inside the operations that saw each method, whether the thread computed or waited there.
 */
final class Looks {
    private static final long PERIOD_NS = 2_000_000;
    private static final String OPERATION = "operate";

    private final Thread looked;
    private final Thread looker = new Thread(this::look, "looks");
    private final Map<String, Integer> counts = new HashMap<>();
    private volatile boolean isEnough;

    /** Begins to look at the thread. */
    Looks(Thread looked) {
        this.looked = looked;
        looker.setDaemon(true);
        looker.start();
    }

    /** Ends the looks. Returns, for each method, how often it was our innermost method inside the operations. */
    String end() throws InterruptedException {
        isEnough = true;
        looker.join();
        StringBuilder text = new StringBuilder();
        counts.forEach(
                (method, count) -> text.append(' ').append(method).append(' ').append(count));
        return text.toString();
    }

    private void look() {
        while (!isEnough) {
            LockSupport.parkNanos(PERIOD_NS);
            String innermost = null;
            for (StackTraceElement frame : looked.getStackTrace()) {
                String type = frame.getClassName();
                if (innermost == null && (type.startsWith("org.ulfmj.") || type.startsWith("mpi."))) {
                    innermost = type.substring(type.lastIndexOf('.') + 1) + "." + frame.getMethodName();
                }
                if (frame.getMethodName().equals(OPERATION)) {
                    counts.merge(innermost, 1, Integer::sum);
                    break;
                }
            }
        }
    }
}
