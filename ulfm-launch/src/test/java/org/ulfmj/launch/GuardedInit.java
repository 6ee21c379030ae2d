package org.ulfmj.launch;

import mpi.Intracomm;
import mpi.MPI;
import mpi.Resilient;

/**
 * An MPI program that asks whether MPI is initialized before it calls Init, as libraries do. The test runs it in three
 * processes, one of which is killed and replaced.
 */
public final class GuardedInit {
    private GuardedInit() {}

    public static void main(String[] args) {
        MPI.pControl(3, null);
        boolean wasInitialized = MPI.isInitialized();
        if (!wasInitialized) {
            MPI.Init(args);
        }
        int[] sum = new int[1];
        Intracomm left = Resilient.run(MPI.COMM_WORLD, Resilient.Policy.REPLACE, new Resilient.Loop() {
            @Override
            public void work(Intracomm comm) {
                for (int i = 0; i < 8; i++) {
                    sum[0] = 1;
                    comm.allReduce(sum, 1, MPI.INT, MPI.SUM);
                }
            }

            @Override
            public void restore(Intracomm comm, Resilient.Recovery recovery) {}
        });
        String said = left.getRank() + "'" + MPI.getIncarnation() + " " + wasInitialized + " " + MPI.isInitialized()
                + " " + sum[0];
        MPI.Finalize();
        MPI.pControl(4, null);
        System.out.println(said + " " + MPI.isInitialized() + " " + MPI.isFinalized());
    }
}
