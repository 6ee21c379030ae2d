package examples.soak;

import mpi.Group;
import mpi.Intracomm;
import mpi.MPI;

/** A communicator on which traffic runs, with its number, its size, and this rank's own rank in it. */
final class Scope {
    final Intracomm comm;
    final int rank;
    final int size;
    /**
     * Identifies the communicator: all members have the same number for it, and no two communicators of one rank have
     * the same.
     */
    final long number;

    private final int[] slots;

    Scope(Intracomm comm, long number) {
        this.comm = comm;
        this.number = number;
        rank = comm.getRank();
        size = comm.getSize();
        int[] ranks = new int[size];
        for (int i = 0; i < size; i++) {
            ranks[i] = i;
        }
        Group group = comm.getGroup();
        slots = Group.translateRanks(group, ranks, MPI.COMM_WORLD.getGroup());
    }

    /** A member's rank in the world. */
    int slot(int member) {
        return slots[member];
    }

    /** The member whose rank is higher than this rank's by the distance, modulo the size. */
    int right(int distance) {
        return (rank + distance) % size;
    }

    /** The member whose rank is lower than this rank's by the distance, modulo the size. */
    int left(int distance) {
        return (rank + size - distance % size) % size;
    }

    @Override
    public String toString() {
        return "communicator " + number + " of " + size;
    }
}
