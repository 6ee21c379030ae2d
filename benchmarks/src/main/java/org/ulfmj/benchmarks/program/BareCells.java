package org.ulfmj.benchmarks.program;

import java.io.IOException;
import java.nio.file.Path;

/** The program of a rank of a job without any library: it runs a round of a cell when it is asked for one. */
public final class BareCells {
    private BareCells() {}

    /** The arguments are the medium, {@code shm} or {@code tcp}, and the directory of the FIFOs. */
    public static void main(String[] args) throws IOException {
        int me = BareMemory.rank();
        int ranks = BareMemory.ranks();
        BareMemory memory = BareMemory.open(
                Path.of("/dev/shm", Path.of(args[1]).getFileName().toString()), me, ranks);
        BareSocket socket = args[0].equals("tcp") ? BareSocket.open(memory, me) : null;
        BareExchange exchange = new BareExchange(me, ranks, memory, socket);
        Orders orders = new Orders(args[1], me);
        for (String[] order = orders.next(); order != null; order = orders.next()) {
            long ns = round(
                    exchange,
                    order[0],
                    Integer.parseInt(order[1]),
                    Integer.parseInt(order[2]),
                    Integer.parseInt(order[3]));
            if (me == 0) {
                orders.answer("time " + ns);
            }
        }
    }

    private static long round(BareExchange exchange, String work, int bytes, int settle, int operations)
            throws IOException {
        exchange.operate(work, bytes, settle);
        exchange.barrier();
        long started = System.nanoTime();
        exchange.operate(work, bytes, operations);
        exchange.barrier();
        long ns = System.nanoTime() - started;
        exchange.requireResults(work);
        return ns;
    }
}
