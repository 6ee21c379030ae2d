package examples;

import java.util.concurrent.TimeUnit;
import mpi.Group;
import mpi.MPI;
import mpi.Store;
import mpi.StoreEntry;
import mpi.StoreWatch;

/**
 * Work that is handed out by tickets in the job's store, without a message between ranks:
 *
 * <pre>
 *   bin/mpiexec -n 4 --inject 'kill:rank=2@iter=1' examples Tickets
 * </pre>
 *
 * A rank takes a ticket by a comparison of versions, which one rank wins, and notes the result under the same key. A
 * ticket without a result whose owner has died is taken again.
 */
public final class Tickets {
    private static final String TICKETS = "tickets/";
    private static final int DEFAULT_TICKETS = 40;

    private final Store store = MPI.store();
    private final int rank = MPI.COMM_WORLD.getRank();
    private final int tickets;
    private int done;

    private Tickets(int tickets) {
        this.tickets = tickets;
    }

    public static void main(String[] args) {
        MPI.Init(args);
        Tickets work = new Tickets(args.length > 0 ? Integer.parseInt(args[0]) : DEFAULT_TICKETS);
        long sum = work.run();
        Print.line("rank %d     did %d of %d tickets, their sum is %d", work.rank, work.done, work.tickets, sum);
        MPI.Finalize();
    }

    /** Works until every ticket is done, and returns the sum of all results. */
    private long run() {
        try (StoreWatch watch = store.watch(TICKETS)) {
            while (true) {
                Group failed = MPI.COMM_WORLD.getFailed();
                long sum = 0;
                int open = 0;
                for (int ticket = 0; ticket < tickets; ticket++) {
                    String state = takeOrSee(ticket, failed);
                    if (state.startsWith("done")) {
                        sum += Long.parseLong(state.substring("done ".length()));
                    } else {
                        open++;
                    }
                }
                if (open == 0) {
                    return sum;
                }
                // The open tickets belong to other ranks, which note a result or whose death becomes known.
                watch.next(50, TimeUnit.MILLISECONDS);
            }
        }
    }

    /**
     * Takes and does a ticket if it is free for this rank. Returns {@code done} with the result if the ticket is done;
     * otherwise {@code taken}, as another rank has the ticket or is to take it.
     */
    private String takeOrSee(int ticket, Group failed) {
        String key = TICKETS + ticket;
        StoreEntry entry = store.get(key);
        String state = entry == null ? "free" : entry.text();
        if (state.startsWith("done")) {
            return state;
        }
        // The first tickets are for one rank each, so that every rank gets work.
        boolean isMine = ticket == rank || ticket >= MPI.COMM_WORLD.getSize();
        boolean isFree = entry == null ? isMine || isFailed(ticket, failed) : isOfAFailedRank(state, failed);
        if (!isFree || !store.compareAndSet(key, entry == null ? 0 : entry.version(), ("taken " + rank).getBytes())) {
            return "taken";
        }
        done++;
        MPI.pControl(done, null);
        String result = "done " + compute(ticket);
        store.set(key, result);
        return result;
    }

    private static boolean isOfAFailedRank(String state, Group failed) {
        return isFailed(Integer.parseInt(state.substring("taken ".length())), failed);
    }

    private static boolean isFailed(int rank, Group failed) {
        int[] place = Group.translateRanks(MPI.COMM_WORLD.getGroup(), new int[] {rank}, failed);
        return place[0] != MPI.UNDEFINED;
    }

    /** The work: how often x becomes x / 2 or 3x + 1 until it is 1, for all x of this ticket. */
    private static long compute(int ticket) {
        long steps = 0;
        for (long start = 1 + 20_000L * ticket; start <= 20_000L * (ticket + 1); start++) {
            for (long x = start; x != 1; x = x % 2 == 0 ? x / 2 : 3 * x + 1) {
                steps++;
            }
        }
        return steps;
    }
}
