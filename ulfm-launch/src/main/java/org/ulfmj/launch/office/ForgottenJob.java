package org.ulfmj.launch.office;

import java.util.concurrent.locks.LockSupport;
import org.ulfmj.command.UsageException;
import org.ulfmj.launch.command.Coordination;
import org.ulfmj.rendezvous.embed.RendezvousFailure;
import org.ulfmj.rendezvous.embed.RendezvousUrl;
import org.ulfmj.rendezvous.etcd.EtcdBackend;
import org.ulfmj.rendezvous.etcd.EtcdOffice;

/**
 * {@code mpiexec --rdzv-forget URL}: deletes the keys in etcd of a job all of whose processes are dead. They count as
 * dead if the job has no coordinator for somewhat longer than a lease and a third: one of the ranks of a job that lives
 * would have taken the vacant office by then.
 */
public final class ForgottenJob {
    private static final String OPTION = "--rdzv-forget ";
    private static final long SECOND_NS = 1_000_000_000;
    private static final long ANSWER_NS = 30 * SECOND_NS;
    private static final long LOOK_NS = SECOND_NS / 4;

    /** The exit code of {@code --rdzv-forget} if the job lives, so that its keys are kept. */
    private static final int LIVES = 1;

    private ForgottenJob() {}

    /**
     * Deletes the keys of a job, after it has waited long enough to see that the job has no coordinator.
     *
     * @return a sentence that tells what was done
     * @throws UsageException if the URL is wrong, etcd does not answer, or the job lives
     */
    public static String forget(String text) {
        RendezvousUrl url =
                RendezvousUrl.parse(Coordination.checked(OPTION.strip(), text), new EtcdBackend().parameters());
        String job = "job " + url.job();
        long leaseNs = url.parameter("lease", 15, 2, 3600) * SECOND_NS;
        try (EtcdOffice office = EtcdOffice.of(url, null, false, null)) {
            String found = office.findOthers(System.nanoTime() + ANSWER_NS);
            if (found == null) {
                return "etcd keeps nothing of " + job;
            }
            awaitNoChange(office, leaseNs + leaseNs / 3 + SECOND_NS);
            if (!office.forget(System.nanoTime() + ANSWER_NS)) {
                throw new UsageException(
                        LIVES,
                        OPTION + text + ": " + job + " " + office.findOthers(System.nanoTime() + ANSWER_NS)
                                + ", and is not forgotten");
            }
            return job + " is forgotten";
        } catch (RendezvousFailure failed) {
            throw new UsageException(OPTION + text + ": " + failed.getMessage());
        }
    }

    /**
     * Waits until, for the length of a window, each look found a coordinator or each found none. The key of a dead
     * coordinator disappears when its lease expires, and then the window begins anew.
     */
    private static void awaitNoChange(EtcdOffice office, long windowNs) {
        boolean before = office.hasCoordinator(System.nanoTime() + ANSWER_NS);
        long sinceNs = System.nanoTime();
        while (System.nanoTime() - sinceNs < windowNs) {
            LockSupport.parkNanos(LOOK_NS);
            boolean isThere = office.hasCoordinator(System.nanoTime() + ANSWER_NS);
            if (isThere != before) {
                before = isThere;
                sinceNs = System.nanoTime();
            }
        }
    }
}
