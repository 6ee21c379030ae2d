package examples.soak;

import examples.soak.RankStatus.Field;
import java.util.List;
import mpi.MPI;
import org.ulfmj.testkit.Faults;

/**
 * Carries out a plan over ranks as threads: one thread watches the calls of the ranks, and kills the victims, or
 * declares them failed, inside their calls or soon after.
 */
final class LocalStrikes implements AutoCloseable {
    private final LocalPlan plan;
    private final List<RankStatus> statuses;
    private volatile boolean over;
    private Thread thread;

    LocalStrikes(LocalPlan plan, List<RankStatus> statuses) {
        this.plan = plan;
        this.statuses = statuses;
    }

    /**
     * Each rank calls this after Init. The call of rank 0 starts the thread that carries out the plan, bound to rank 0.
     */
    void arm(int rank) {
        if (rank == 0) {
            thread = new Thread(MPI.bindThread(this::strike), "strikes");
            thread.setDaemon(true);
            thread.start();
        }
    }

    private void strike() {
        for (LocalPlan.Strike strike : plan.strikes()) {
            RankStatus victim = statuses.get(strike.victim());
            while (!isDue(strike, victim)) {
                if (over) {
                    return;
                }
                Thread.yield();
            }
            long untilNs = System.nanoTime() + strike.delayNs();
            while (System.nanoTime() - untilNs < 0) {
                Thread.onSpinWait();
            }
            try {
                carryOut(strike);
            } catch (IllegalStateException e) {
                if (!over) {
                    throw e;
                }
                return;
            }
        }
    }

    private static void carryOut(LocalPlan.Strike strike) {
        if (strike.isFalse()) {
            Faults.suspect(strike.victim());
        } else {
            Faults.kill(strike.victim());
        }
    }

    private boolean isDue(LocalPlan.Strike strike, RankStatus victim) {
        return plan.inFinalize()
                ? victim.call().compareTo(SoakCall.FINALIZE) >= 0
                : victim.get(Field.CALLS) >= strike.call();
    }

    /** The world has ended. */
    @Override
    public void close() {
        over = true;
    }
}
