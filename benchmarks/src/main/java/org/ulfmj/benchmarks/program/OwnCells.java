package org.ulfmj.benchmarks.program;

import java.io.IOException;
import mpi.MPI;

/**
 * The main class of our jobs' ranks: it runs the cells, and orders that only our jobs get, among them agreements,
 * non-blocking collectives, revocations, deaths, and counts of the bytes that calls allocate.
 */
public final class OwnCells extends Cells {
    /** Is made when it is first needed, not earlier, because its buffers are large; null until then. */
    private StartedCells started;

    private OwnCells() {}

    /** The argument is the directory of the FIFOs. */
    public static void main(String[] args) throws IOException, InterruptedException {
        MPI.Init(args);
        OwnCells cells = new OwnCells();
        Orders orders = new Orders(args[0], cells.me);
        Failures failures = new Failures(orders);
        Costs costs = new Costs(cells, orders);
        Looks looks = null;
        for (String[] order = orders.next(); order != null; order = orders.next()) {
            switch (order[0]) {
                case "revoke" -> failures.revoke(Integer.parseInt(order[1]), Integer.parseInt(order[2]));
                case "shrink" -> failures.shrinkUnharmed(Integer.parseInt(order[1]));
                case "die" -> failures.die(Integer.parseInt(order[1]));
                case "survive" -> failures.survive(Integer.parseInt(order[1]));
                case "allocate" -> costs.allocate(order[1], Integer.parseInt(order[2]));
                case "wait" -> costs.waitFor(Integer.parseInt(order[1]));
                case "compute" -> costs.compute(Integer.parseInt(order[1]));
                case "look" -> looks = new Looks(Thread.currentThread());
                case "looked" -> orders.answer("looked" + looks.end());
                default -> cells.obey(order, orders);
            }
        }
        MPI.Finalize();
    }

    @Override
    void prepare(String work, int bytes) {
        started().prepare(work, bytes);
    }

    @Override
    void operate(String work, int bytes, int operations) {
        if (work.equals("agree")) {
            for (int i = 0; i < operations; i++) {
                world.agree(1);
            }
            return;
        }
        if (!started().operate(work, bytes, operations)) {
            super.operate(work, bytes, operations);
        }
    }

    private StartedCells started() {
        if (started == null) {
            started = new StartedCells();
        }
        return started;
    }
}
