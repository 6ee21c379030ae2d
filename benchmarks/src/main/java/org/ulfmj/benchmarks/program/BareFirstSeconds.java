package org.ulfmj.benchmarks.program;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * The program for the first seconds of a job without any library, with the arguments {@code WORK SECONDS FILE}: it
 * shows how fast even the smallest program is while virtual machines start and compile. The first window begins when
 * the ranks share their memory.
 */
public final class BareFirstSeconds {
    private static final int BYTES = 8;

    private BareFirstSeconds() {}

    public static void main(String[] args) throws IOException {
        ByteBuffer lasts = WindowCount.lasts(args[2]);
        int me = BareMemory.rank();
        int ranks = BareMemory.ranks();
        String folder = Path.of(args[2]).getParent().getFileName().toString();
        BareExchange exchange =
                new BareExchange(me, ranks, BareMemory.open(Path.of("/dev/shm", folder), me, ranks), null);
        String work = args[0];
        WindowCount windows = new WindowCount(lasts, work, me, Integer.parseInt(args[1]), System.nanoTime());
        do {
            exchange.operate(work, BYTES, 1);
        } while (windows.counted());
        exchange.requireResults(work);
        if (me == 0) {
            windows.print();
        }
    }
}
