package org.ulfmj.benchmarks.program;

import java.io.IOException;
import java.nio.ByteBuffer;
import mpi.MPI;

/** The program for the first seconds of our jobs, which also knows the agreement. */
public final class OwnFirstSeconds extends FirstSeconds {
    private OwnFirstSeconds() {}

    /** The arguments are {@code WORK SECONDS FILE}. */
    public static void main(String[] args) throws IOException {
        ByteBuffer lasts = WindowCount.lasts(args[2]);
        MPI.Init(args);
        long started = System.nanoTime();
        new OwnFirstSeconds().run(args[0], Integer.parseInt(args[1]), lasts, started);
        MPI.Finalize();
    }

    @Override
    void operate(String work) {
        if (work.equals("agree")) {
            world.agree(1);
        } else {
            super.operate(work);
        }
    }
}
