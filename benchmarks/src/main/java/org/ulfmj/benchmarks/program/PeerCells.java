package org.ulfmj.benchmarks.program;

import java.io.IOException;
import mpi.MPI;
import mpi.MPIException;

/** The cells on Open MPI's Java binding. */
public final class PeerCells {
    private PeerCells() {}

    /** The argument is the directory of the FIFOs. */
    public static void main(String[] args) throws MPIException, IOException {
        MPI.Init(args);
        Cells cells = new Cells();
        Orders orders = new Orders(args[0], cells.me);
        for (String[] order = orders.next(); order != null; order = orders.next()) {
            cells.obey(order, orders);
        }
        MPI.Finalize();
    }
}
