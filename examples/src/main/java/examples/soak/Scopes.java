package examples.soak;

import java.util.ArrayList;
import java.util.List;
import mpi.Group;
import mpi.Intracomm;

/**
 * The communicators on which traffic runs: that of all ranks that are left, and a few made from it. A step makes or
 * frees the same one at all ranks; after a failure each rank frees all that were made.
 */
final class Scopes {
    private static final int MOST_MADE = 4;
    private static final int GENERATION_SHIFT = 32;

    private final RankStatus status;
    private final List<Scope> made = new ArrayList<>();
    private Scope base;
    private long generation;
    /**
     * Number of the last communicator. Each generation counts anew, because some ranks may have made one more than
     * others when a failure stops them.
     */
    private long created;

    Scopes(RankStatus status, Intracomm world) {
        this.status = status;
        base = new Scope(world, 0);
    }

    Scope base() {
        return base;
    }

    /** How often this rank has gone on with the communicator of a shrink. */
    long generation() {
        return generation;
    }

    /** One of the communicators, the same at all ranks; null if this rank is not a member of it. */
    Scope draw(Step step) {
        int index = step.draw(2 + made.size());
        return index < 2 ? base : made.get(index - 2);
    }

    /** Makes another communicator, or frees one. */
    void change(Step step) {
        if (made.size() == MOST_MADE || !made.isEmpty() && step.draw(3) == 0) {
            free(made.remove(step.draw(made.size())));
        } else {
            add(create(step));
        }
    }

    /**
     * Adds a new communicator, and waits until all ranks have returned from the call that makes it. Some ranks may get
     * theirs while the call of another rank fails. Without the barrier, a rank might wait for a message on the new
     * communicator, and the rank whose call failed could not revoke it.
     */
    private void add(Intracomm comm) {
        created++;
        made.add(comm.isNull() ? null : new Scope(comm, created));
        status.enter(SoakCall.BARRIER);
        base.comm.barrier();
        status.leave();
    }

    private Intracomm create(Step step) {
        Intracomm comm = base.comm;
        int kind = step.draw(3);
        int parts = 1 + step.draw(base.size);
        boolean isReversed = step.drawBoolean();
        Intracomm result;
        if (kind == 0) {
            status.enter(SoakCall.DUP);
            result = comm.dup();
        } else if (kind == 1) {
            int key = isReversed ? -base.rank : base.rank;
            status.enter(SoakCall.SPLIT);
            result = comm.split(base.rank % parts, key);
        } else {
            int[] ranks = new int[parts];
            for (int i = 0; i < parts; i++) {
                ranks[i] = isReversed ? base.size - 1 - i : i;
            }
            Group all = comm.getGroup();
            Group group = all.incl(ranks);
            status.enter(SoakCall.CREATE);
            result = comm.create(group);
        }
        status.leave();
        return result;
    }

    /** Revokes the communicators on which this rank's traffic runs, so that none of their members goes on waiting. */
    void revoke() {
        status.enter(SoakCall.REVOKE);
        for (Scope scope : made) {
            if (scope != null) {
                scope.comm.revoke();
            }
        }
        base.comm.revoke();
        status.leave();
    }

    /** Goes on with the communicator of the survivors, and frees all others except MPI.COMM_WORLD. */
    void replaceBy(Intracomm survivors) {
        freeMade();
        Scope old = base;
        generation++;
        created = generation << GENERATION_SHIFT;
        base = new Scope(survivors, created);
        if (old.number != 0) {
            free(old);
        }
    }

    void freeMade() {
        made.forEach(this::free);
        made.clear();
    }

    private void free(Scope scope) {
        if (scope != null) {
            status.enter(SoakCall.FREE);
            scope.comm.free();
            status.leave();
        }
    }
}
