package org.ulfmj.launch.office;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import org.ulfmj.command.UsageException;
import org.ulfmj.launch.host.JobDirectory;
import org.ulfmj.launch.host.JobReport;
import org.ulfmj.protocol.WireFormatException;
import org.ulfmj.rendezvous.RendezvousCore;
import org.ulfmj.rendezvous.embed.RendezvousFailure;
import org.ulfmj.rendezvous.embed.RendezvousUrl;
import org.ulfmj.rendezvous.etcd.EtcdBackend;
import org.ulfmj.rendezvous.etcd.EtcdOffice;
import org.ulfmj.transport.auth.JobSecret;
import org.ulfmj.transport.host.HostProcess;

/**
 * A running job that another launcher on the same host has found. The methods of this class find a job with an elected
 * coordinator ({@code --rdzv}) by its URL.
 *
 * <p>For such a job, etcd stores where the job's directory is, and a file in the directory, which only the job's user
 * can read, has the job's secret. Where the URL names a file with the secret, what etcd stores about the directory is
 * sealed with this secret. In any case the secret must decrypt the state of the job in etcd, so that a forged entry
 * leads to no other job.
 *
 * @param report what the first launcher has stored, with the job's secret, and with the address of the present
 *     coordinator if that is known
 * @param members how many members the world has, or, before it begins, how many processes hold a slot for it; negative
 *     if that is not known
 */
public record FoundJob(JobReport report, int members) {
    private static final long SECOND_NS = 1_000_000_000;
    private static final long ANSWER_NS = 10 * SECOND_NS;

    /** How long to wait until etcd has the place where a job that has begun can be joined. */
    private static final long BEGINNING_NS = 5 * SECOND_NS;

    private static final long LOOK_NS = SECOND_NS / 20;

    /** The exit code of mpiexec where the job has no state in etcd any more, or its secret cannot be read. */
    private static final int IS_OVER = 125;

    /**
     * Whether etcd has the entry by which other launchers can join the job of this URL.
     *
     * @param option the name of the option that has the URL, for messages of errors
     * @throws UsageException if etcd does not answer or refuses the request, the file that the URL names for the secret
     *     cannot be read, or the entry does not fit the URL: it is sealed where the URL names no such file, or is not
     *     sealed with the secret of that file
     */
    public static boolean isThere(String option, String text) {
        RendezvousUrl url = parsed(text);
        JobSecret given = url.parameter("secret_file") == null ? null : LauncherOffice.secret(option, text);
        try (EtcdOffice look = EtcdOffice.of(url, given, false, null)) {
            return look.findPlace(System.nanoTime() + ANSWER_NS) != null;
        } catch (RendezvousFailure failed) {
            throw new UsageException(option + " " + text + ": " + failed.getMessage());
        }
    }

    /**
     * Finds the job of a URL.
     *
     * @param option the name of the option that has the URL, for messages of errors
     * @throws UsageException if etcd does not answer, or there is no such job, or it cannot be joined from here
     */
    public static FoundJob find(String option, String text) {
        RendezvousUrl url = parsed(text);
        String where = option + " " + text + ": ";
        JobSecret given = url.parameter("secret_file") == null ? null : LauncherOffice.secret(option, text);
        try (EtcdOffice look = EtcdOffice.of(url, given, false, null)) {
            JobReport place = placeOf(look, url.job(), where);
            if (!place.launcher().sharesPidsWith(HostProcess.self())) {
                throw new UsageException(where + "job " + url.job() + " runs on another host or in another container;"
                        + " processes join on the host of the job's first mpiexec; if that host was restarted since:"
                        + " mpiexec --rdzv-forget URL");
            }
            JobSecret secret = secretOf(place, url.job(), where);
            byte[] state = stateOf(url, secret, place, where);
            String coordinator = look.findCoordinator(System.nanoTime() + ANSWER_NS);
            return new FoundJob(place.at(coordinator, secret), RendezvousCore.membersOf(state));
        } catch (RendezvousFailure failed) {
            throw new UsageException(where + failed.getMessage());
        }
    }

    private static RendezvousUrl parsed(String url) {
        return RendezvousUrl.parse(url, new EtcdBackend().parameters());
    }

    /**
     * Reads from etcd where the job can be joined. Waits some seconds for this entry if the job has a coordinator or a
     * state in etcd, as a job that has just begun writes it a moment later.
     */
    private static JobReport placeOf(EtcdOffice look, String job, String where) {
        long untilNs = System.nanoTime() + BEGINNING_NS;
        byte[] place = look.findPlace(System.nanoTime() + ANSWER_NS);
        while (place == null) {
            String others = look.findOthers(System.nanoTime() + ANSWER_NS);
            if (others == null) {
                throw new UsageException(where + "etcd keeps nothing of job " + job
                        + ": it is over, or has not begun; mpiexec -n MIN:MAX --rdzv URL begins it");
            }
            if (System.nanoTime() - untilNs >= 0) {
                throw new UsageException(where + "job " + job + " " + others
                        + ", and says nowhere how it is joined: only a job of -n MIN:MAX can be");
            }
            LockSupport.parkNanos(LOOK_NS);
            place = look.findPlace(System.nanoTime() + ANSWER_NS);
        }
        try {
            return JobReport.ofPlace(new String(place, StandardCharsets.UTF_8), null);
        } catch (IllegalArgumentException wrong) {
            throw new UsageException(
                    where + "what etcd has of job " + job + " was not written by mpiexec (" + wrong.getMessage() + ")");
        }
    }

    private static JobSecret secretOf(JobReport place, String job, String where) {
        Path file = JobDirectory.at(place.directory()).secret();
        try {
            return JobSecret.read(file);
        } catch (IOException e) {
            throw new UsageException(
                    IS_OVER,
                    where + "the secret of job " + job + " cannot be read (" + e + "): the job is over, or another"
                            + " user's; if all its processes are dead: mpiexec --rdzv-forget URL");
        }
    }

    /**
     * Reads the state of the job from etcd, decrypts it with the secret, and checks that it belongs to the same run.
     */
    private static byte[] stateOf(RendezvousUrl url, JobSecret secret, JobReport place, String where) {
        try (EtcdOffice look = EtcdOffice.of(url, secret, false, null)) {
            byte[] state = look.findState(System.nanoTime() + ANSWER_NS);
            if (state == null) {
                throw new UsageException(IS_OVER, where + "job " + url.job() + " is over");
            }
            if (!RendezvousCore.runOf(state).runId().equals(place.runId())) {
                throw new UsageException(
                        where + "etcd has the state of another run of job " + url.job() + " than it says");
            }
            return state;
        } catch (WireFormatException wrong) {
            throw new UsageException(where + "the state of the job in etcd: " + wrong.getMessage());
        }
    }
}
