package org.ulfmj.launch;

import java.util.concurrent.TimeUnit;
import mpi.MPI;
import mpi.Store;
import mpi.StoreException;
import mpi.StoreWatch;

/** A rank without others uses the store. */
final class StoreAlone {
    private StoreAlone() {}

    public static void main(String[] args) {
        MPI.Init(args);
        Store store = MPI.store();
        long sum = store.add("n", 5);
        try (StoreWatch watch = store.watch("key")) {
            String none = String.valueOf(watch.next(10, TimeUnit.MILLISECONDS));
            store.set("key", "mine");
            System.out.println(
                    sum + " " + none + " " + watch.next(10, TimeUnit.SECONDS).text());
        }
        try {
            store.waitFor("never", 20, TimeUnit.MILLISECONDS);
        } catch (StoreException late) {
            System.out.println(late.getMessage());
        }
        MPI.Finalize();
    }
}
