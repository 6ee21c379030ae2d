package org.ulfmj.launch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import mpi.MPI;
import org.ulfmj.launch.process.Binding;

/**
 * A program that compares the cores that its main thread may use before Init with the number that Java counts after
 * Init. Where they differ, it waits for half a minute at most until they are equal, and prints both steps.
 */
public final class Cores {
    private static final String ALLOWED = "Cpus_allowed_list:";
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(30);
    private static final long PAUSE_MS = 50;

    private Cores() {}

    public static void main(String[] args) throws Exception {
        // The cores are counted before Init: soon after Init the launcher may find a rank that waits, and end the
        // binding of all ranks.
        int early = cores();
        MPI.Init(args);
        int counted = Runtime.getRuntime().availableProcessors();
        if (early == counted) {
            System.out.println("as many cores as counted");
        } else {
            String first = early == 1 ? "one core" : early + " cores";
            long endNs = System.nanoTime() + PATIENCE_NS;
            while (cores() != counted && System.nanoTime() < endNs) {
                Thread.sleep(PAUSE_MS);
            }
            System.out.println(first + ", then " + (cores() == counted ? "as many as counted" : cores()));
        }
        MPI.Finalize();
    }

    private static int cores() throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/thread-self/status"))) {
            if (line.startsWith(ALLOWED)) {
                return Binding.parse(line.substring(ALLOWED.length()).trim()).size();
            }
        }
        throw new IOException("no " + ALLOWED);
    }
}
