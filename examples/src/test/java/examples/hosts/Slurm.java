package examples.hosts;

import examples.RunningCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * A cluster of Slurm with two nodes, n1 and n2, on this machine, without systemd: a controller, two node daemons and a
 * Munge daemon, with ports, keys and directories of their own. All of them, and all jobs, are ended when the test ends,
 * however it ends.
 */
final class Slurm implements AutoCloseable {
    private static final String SCRIPT =
            """
            d=$1; cd $d; export SLURM_CONF=$d/slurm.conf; unset $(env | grep -o '^SLURM_[A-Z_]*' | grep -v SLURM_CONF)
            run() { name=$1; shift; "$@" </dev/null >$d/$name.out 2>&1 & pids="$! $pids"; }
            run munged munged -F --force --key-file=$d/munge.key --socket=$d/munge.socket --pid-file=$d/munge.pid \
                --log-file=$d/munge.log --seed-file=$d/munge.seed
            run slurmctld slurmctld -D -i -f $d/slurm.conf
            run n1 slurmd -D -N n1 -f $d/slurm.conf
            run n2 slurmd -D -N n2 -f $d/slurm.conf
            cat >/dev/null
            scancel -u "$(id -un)"
            for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
                test -z "$(squeue -h)" && break
                sleep 0.5
            done
            for p in $pids; do kill $p; done
            wait
            rm -r "$d"
            """;
    private static final long PAUSE_NS = 50_000_000;
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final Path directory;
    private final Guarded guarded;

    /** Says which of the programs that a cluster needs is missing here; null if none is. */
    static String obstacle() {
        for (String program : List.of("sbin/slurmctld", "sbin/slurmd", "sbin/munged", "bin/srun", "bin/sbatch")) {
            if (!Files.isExecutable(Path.of("/usr", program))) {
                return "/usr/" + program + " is missing (Debian: apt install slurm-wlm munge)";
            }
        }
        return Files.isExecutable(Path.of("/usr/bin/setsid")) ? null : "setsid is missing";
    }

    /** Starts the cluster and waits until both nodes take jobs. */
    Slurm() throws IOException {
        // The paths of Unix sockets are limited in length, so the directory has a short path.
        directory = Files.createTempDirectory(Path.of("/tmp"), "ulfm-slurm");
        Files.createDirectory(directory.resolve("state"));
        Files.createDirectories(directory.resolve("n1.d"));
        Files.createDirectories(directory.resolve("n2.d"));
        byte[] key = new byte[1024];
        new java.security.SecureRandom().nextBytes(key);
        Path keyFile = directory.resolve("munge.key");
        Files.write(keyFile, key);
        Files.setPosixFilePermissions(keyFile, java.nio.file.attribute.PosixFilePermissions.fromString("rw-------"));
        Files.writeString(directory.resolve("slurm.conf"), configuration());
        guarded = new Guarded(SCRIPT, directory.toString());
        awaitNodes();
    }

    private String configuration() throws IOException {
        String host = Files.readString(Path.of("/proc/sys/kernel/hostname")).trim();
        String user = System.getProperty("user.name");
        List<Integer> ports = FreePorts.find(3);
        return String.join(
                "\n",
                "ClusterName=" + directory.getFileName().toString().replaceAll("[^a-z0-9]", ""),
                "SlurmctldHost=" + host + "(127.0.0.1)",
                "SlurmctldPort=" + ports.get(0),
                "SlurmUser=" + user,
                "SlurmdUser=" + user,
                "AuthType=auth/munge",
                "AuthInfo=socket=" + directory + "/munge.socket",
                "CredType=cred/munge",
                "StateSaveLocation=" + directory + "/state",
                "SlurmdSpoolDir=" + directory + "/%n.d",
                "SlurmctldPidFile=" + directory + "/slurmctld.pid",
                "SlurmdPidFile=" + directory + "/%n.pid",
                "SlurmctldLogFile=" + directory + "/slurmctld.log",
                "SlurmdLogFile=" + directory + "/%n.log",
                "ProctrackType=proctrack/linuxproc",
                "TaskPlugin=task/none",
                "MpiDefault=none",
                "SelectType=select/cons_tres",
                "SelectTypeParameters=CR_CPU",
                "SlurmdParameters=config_overrides",
                "ReturnToService=2",
                "KillWait=2",
                "SchedulerParameters=sched_interval=1,batch_sched_delay=0",
                "NodeName=n1 NodeHostname=" + host + " NodeAddr=127.0.0.1 Port=" + ports.get(1) + " CPUs=4",
                "NodeName=n2 NodeHostname=" + host + " NodeAddr=127.0.0.1 Port=" + ports.get(2) + " CPUs=4",
                "PartitionName=test Nodes=ALL Default=YES MaxTime=INFINITE State=UP",
                "");
    }

    private void awaitNodes() throws IOException {
        long end = System.nanoTime() + LIMIT.toNanos();
        String states = "";
        while (System.nanoTime() - end < 0) {
            try (RunningCommand sinfo =
                    RunningCommand.start(environment(), List.of("sinfo", "-h", "-N", "-o", "%N %T"))) {
                sinfo.exitCode(LIMIT);
                states = sinfo.text();
            }
            if (states.contains("n1 idle") && states.contains("n2 idle")) {
                return;
            }
            LockSupport.parkNanos(PAUSE_NS);
        }
        String said = states + logs();
        close();
        throw new IOException("the nodes do not take jobs: " + said);
    }

    private String logs() throws IOException {
        StringBuilder all = new StringBuilder();
        for (String name : List.of("munged.out", "slurmctld.log", "n1.log", "n2.log")) {
            Path log = directory.resolve(name);
            all.append(name).append(":\n").append(Files.exists(log) ? Files.readString(log) : "");
        }
        return all.toString();
    }

    /** The variables by which commands of Slurm find the cluster. */
    Map<String, String> environment() {
        return Map.of("SLURM_CONF", directory.resolve("slurm.conf").toString());
    }

    /** Runs a Slurm command to its end, and returns its output. */
    String run(String... command) throws IOException {
        return RunningCommand.output(environment(), List.of(command));
    }

    Path directory() {
        return directory;
    }

    @Override
    public void close() throws IOException {
        guarded.close();
    }
}
