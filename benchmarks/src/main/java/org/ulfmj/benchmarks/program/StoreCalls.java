package org.ulfmj.benchmarks.program;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import mpi.MPI;
import mpi.Store;
import mpi.StoreWatch;

/**
 * How long calls of the store take: rank 0 makes them one after the other, in a cold and then a warm round, and prints
 * median, 99th percentile and worst of each kind in each round, while the other ranks wait for a key. Argument: the
 * number of calls of each kind per round, 20,000 by default.
 */
public final class StoreCalls {
    private static final String KEY = "key";
    private static final byte[] VALUE =
            "a value of 32 bytes, as in a text".substring(0, 32).getBytes(StandardCharsets.UTF_8);

    private StoreCalls() {}

    public static void main(String[] arguments) throws Exception {
        int calls = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 20_000;
        MPI.Init(arguments);
        Store store = MPI.store();
        if (MPI.COMM_WORLD.getRank() == 0) {
            for (int round = 0; round < 2; round++) {
                String title = round == 0 ? "cold" : "warm";
                measure(title + " set", calls, () -> store.set(KEY, VALUE));
                measure(title + " get", calls, () -> store.get(KEY));
                measure(title + " add", calls, () -> store.add("sum", 1));
                measure(title + " compareAndSet", calls, () -> store.compareAndSet(KEY, VALUE, VALUE));
                watch(title, calls, store);
            }
            store.set("done", VALUE);
        } else {
            store.waitFor("done", 1, TimeUnit.HOURS);
        }
        MPI.COMM_WORLD.barrier();
        MPI.Finalize();
    }

    /** Measures the time from the call that sets a key until a call of the key's watch has returned. */
    private static void watch(String title, int calls, Store store) {
        try (StoreWatch watch = store.watch(KEY)) {
            watch.next(1, TimeUnit.MINUTES);
            measure(title + " set and watch", calls, () -> {
                store.set(KEY, VALUE);
                watch.next(1, TimeUnit.MINUTES);
            });
        }
    }

    private static void measure(String title, int calls, Runnable call) {
        long[] tookNs = new long[calls];
        for (int i = 0; i < calls; i++) {
            long beganNs = System.nanoTime();
            call.run();
            tookNs[i] = System.nanoTime() - beganNs;
        }
        Arrays.sort(tookNs);
        System.out.printf(
                Locale.ROOT,
                "%-24s median %8.1f µs   p99 %8.1f µs   worst %9.1f µs%n",
                title,
                tookNs[calls / 2] / 1e3,
                tookNs[calls * 99 / 100] / 1e3,
                tookNs[calls - 1] / 1e3);
    }
}
