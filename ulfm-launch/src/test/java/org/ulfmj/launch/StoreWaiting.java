package org.ulfmj.launch;

import java.util.concurrent.TimeUnit;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Store;
import mpi.StoreException;

/**
 * An MPI program in which rank 1 waits for a key of the store and is killed meanwhile. The other ranks replace it by a
 * new process, and then rank 0 stores the key.
 */
final class StoreWaiting {
    private static final int VICTIM = 1;

    private StoreWaiting() {}

    public static void main(String[] args) {
        MPI.Init(args);
        Store store = MPI.store();
        Intracomm world = MPI.COMM_WORLD;
        int rank = world.getRank();
        if (rank == VICTIM && !MPI.isReplacement()) {
            store.add("counted", 1);
            store.set("pid", Long.toString(ProcessHandle.current().pid()));
            System.out.println("1 is pid " + ProcessHandle.current().pid() + " and waits");
            store.waitFor("go", 60, TimeUnit.SECONDS);
            System.out.println("1 was not killed");
        }
        if (rank != VICTIM) {
            long pid = Long.parseLong(store.waitFor("pid", 60, TimeUnit.SECONDS).text());
            awaitEnd(pid);
            try {
                world.barrier();
            } catch (MPIException e) {
                world.revoke();
            }
            world.replace();
        }
        if (rank == 0) {
            store.set("go", "went");
        }
        String word = store.waitFor("go", 60, TimeUnit.SECONDS).text();
        store.add("counted", 1);
        MPI.COMM_WORLD.barrier();
        System.out.println(
                rank + " " + word + ", counted " + store.get("counted").text());
        try {
            store.waitFor("never", 50, TimeUnit.MILLISECONDS);
        } catch (StoreException late) {
            System.out.println(late.getMessage());
        }
        MPI.Finalize();
    }

    private static void awaitEnd(long pid) {
        ProcessHandle.of(pid).ifPresent(process -> process.onExit().join());
    }
}
