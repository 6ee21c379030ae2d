package org.ulfmj.launch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.locks.LockSupport;
import mpi.MPI;

/**
 * An MPI program in which rank 1 does what the first argument says (aborts, throws, exits, hangs or waits for a file),
 * and the other ranks go on with barriers.
 */
final class Behaviour {
    private Behaviour() {}

    public static void main(String[] arguments) throws IOException {
        if (arguments.length > 1) {
            Outliving.endWith(Path.of(arguments[1]).getParent());
        }
        MPI.Init(arguments);
        int rank = MPI.COMM_WORLD.getRank();
        MPI.COMM_WORLD.barrier();
        if (rank == 1) {
            switch (arguments[0]) {
                case "abort" -> MPI.COMM_WORLD.abort(3);
                case "throw" -> throw new IllegalStateException("thrown for a test");
                case "exit" -> System.exit(5);
                case "hang" -> {
                    System.out.println("1 hangs");
                    await(Path.of("/nowhere"));
                }
                case "wait" -> await(Path.of(arguments[1]));
                default -> throw new IllegalArgumentException(arguments[0]);
            }
        }
        System.out.println(rank + " in barrier");
        for (int i = 0; i < 10; i++) {
            MPI.COMM_WORLD.barrier();
        }
        MPI.Finalize();
        if (arguments.length > 2) {
            Files.writeString(Path.of(arguments[2]), "done\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        }
    }

    private static void await(Path file) {
        while (!Files.exists(file)) {
            LockSupport.parkNanos(5_000_000);
        }
    }
}
