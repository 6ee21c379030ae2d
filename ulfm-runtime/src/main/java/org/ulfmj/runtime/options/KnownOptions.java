package org.ulfmj.runtime.options;

import static org.ulfmj.runtime.options.OptionDefinition.bytes;
import static org.ulfmj.runtime.options.OptionDefinition.choice;
import static org.ulfmj.runtime.options.OptionDefinition.count;
import static org.ulfmj.runtime.options.OptionDefinition.directory;
import static org.ulfmj.runtime.options.OptionDefinition.duration;
import static org.ulfmj.runtime.options.OptionDefinition.limit;
import static org.ulfmj.runtime.options.OptionDefinition.networks;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.ulfmj.protocol.Timing;

/**
 * The registry of options: every {@code ulfm.*} option there is, in the order in which the documentation lists them.
 */
final class KnownOptions {
    private static final long MS = 1_000_000;
    private static final long MIB = 1L << 20;
    private static final long HOUR = 3_600_000 * MS;

    static final OptionDefinition FT = choice(
            "ulfm.ft",
            "ulfm",
            List.of("ulfm", "none"),
            "Fault tolerance. With none nothing is detected and one failure ends the job. `mpiexec --with-ft` sets it.");
    static final OptionDefinition FT_QUORUM = choice(
            "ulfm.ft.quorum",
            "coordinator",
            List.of("coordinator", "majority"),
            "Which processes go on when they may be split in two. With coordinator, those that mpiexec still reaches, however few."
                    + " With majority, only more than half of the processes that the last agreement left: a process that finds,"
                    + " in an agreement of all of them (Finalize is one; one on a communicator made before the last"
                    + " replace() is not), that it is with half or fewer ends itself. Then of two"
                    + " processes that hold each other for failed at most one gets past its next agreement of all of them; and"
                    + " of a job of two none survives the other. On several hosts a majority goes on without mpiexec, as with"
                    + " ulfm.orphans=continue, and an mpiexec that reaches half of the ranks or fewer ends with code 119.");
    static final OptionDefinition FT_VERBOSE = count(
            "ulfm.ft.verbose",
            "0",
            0,
            2,
            "What each process tells on stderr: with 1, of which failures it learns, from which process, and why; with 2, steps of"
                    + " recovery too: revocations, and the begin and decision of each agree, shrink, replace and Finalize.");
    static final OptionDefinition INITIAL_ERRHANDLER = choice(
            "ulfm.initial.errhandler",
            "mpi_errors_return with fault tolerance, else mpi_errors_are_fatal",
            List.of("mpi_errors_return", "mpi_errors_are_fatal", "mpi_errors_abort"),
            "Error handler of the first communicators: exceptions, the end of the job, or the end of the"
                    + " communicator's processes. `mpiexec --initial-errhandler` sets it.");
    static final OptionDefinition FD = choice(
            "ulfm.fd",
            "on",
            List.of("on", "off"),
            "Whether silence is judged. With off, only deaths that mpiexec proves count, and a process that is silent for good holds up"
                    + " the others; ulfm.fd.timeout is then 24h, ulfm.fd.period 8h, and links keep their default times.");
    static final OptionDefinition FD_ACCURACY = choice(
            "ulfm.fd.accuracy",
            "high",
            List.of("normal", "high"),
            "What must confirm a silence before a process counts as failed. Every job has what high asks for, so both mean the same:"
                    + " nothing follows from the heartbeats that one process misses. mpiexec asks the silent process itself, then"
                    + " those that miss it once more, and ends it before it counts; or nothing at all is heard of its host. Where"
                    + " mpiexec is dead, a process of the same host looks once more after another ulfm.fd.timeout and ends it, and"
                    + " of another host no process is held for failed, unless a majority goes on without mpiexec (ulfm.ft.quorum).");
    static final OptionDefinition FD_TIMEOUT = duration(
            "ulfm.fd.timeout",
            Timing.DEFAULT_DETECTOR_TIMEOUT_NS / (1_000 * MS) + "s",
            20 * MS,
            24 * HOUR,
            "Silence after which a process is asked for, and ended if it does not answer; 24h for debuggers. A process"
                    + " that was killed on this host is known in milliseconds whatever stands here.");
    static final OptionDefinition FD_PERIOD = duration(
            "ulfm.fd.period",
            "ulfm.fd.timeout / 10",
            MS / 10,
            8 * HOUR,
            "How often a process sends a heartbeat to those that observe it.");
    static final OptionDefinition LINK_BUDGET = duration(
            "ulfm.link.budget",
            "0.6 * ulfm.fd.timeout",
            2 * MS,
            24 * HOUR,
            "How long a link may make no progress before it is reported lost, and how long Finalize waits for a message"
                    + " to be handed over.");
    static final OptionDefinition LINK_RTO = duration(
            "ulfm.link.rto",
            "ulfm.link.budget / 6",
            MS,
            24 * HOUR,
            "Wait for the answer to a handshake, and at first for the acknowledgement of a message, before a connection is"
                    + " given up and opened anew. The wait for acknowledgements follows the time that they take.");
    static final OptionDefinition LINK_RETRY = choice(
            "ulfm.link.retry",
            "on",
            List.of("on", "off"),
            "Whether a TCP connection between two processes that is lost is opened anew, without the program noticing."
                    + " With off its loss counts as that of the path at once.");
    static final OptionDefinition LINK_BUFFER = bytes(
            "ulfm.link.buffer",
            "64MiB",
            MIB,
            1L << 40,
            "Direct memory in which a process keeps what it has sent over TCP until it is acknowledged, for all peers"
                    + " together; when it is full, sending waits. Each peer may have one piece beyond it.");
    static final OptionDefinition NET_PROTECT = choice(
            "ulfm.net.protect",
            "auto",
            List.of("auto", "aead", "none"),
            "Which TCP connections between processes, and between them and mpiexec, are encrypted (AES-128-GCM): with auto those"
                    + " to other hosts, with aead all, with none none. Processes prove that they belong to the job either"
                    + " way.");
    static final OptionDefinition INJECT_AFTER = duration(
            "ulfm.inject.after",
            "1s",
            0,
            24 * HOUR,
            "How long after MPI.Init the faults begin that the next two options inject.");
    static final OptionDefinition INJECT_RESET = duration(
            "ulfm.inject.reset",
            "0s",
            0,
            24 * HOUR,
            "For tests: each TCP connection between two processes is reset once in this period; 0s is never. Needs"
                    + " ulfm.transport=tcp.");
    static final OptionDefinition INJECT_BLACKHOLE = duration(
            "ulfm.inject.blackhole",
            "0s",
            0,
            24 * HOUR,
            "For tests: how long nothing passes between any two processes over TCP, once; 0s is never. Needs"
                    + " ulfm.transport=tcp.");
    static final OptionDefinition RDZV_JOIN = duration(
            "ulfm.rdzv.join",
            "10min",
            100 * MS,
            24 * HOUR,
            "How long MPI.Init waits for the other processes of the job.");
    static final OptionDefinition RDZV_CONFIRM = duration(
            "ulfm.rdzv.confirm",
            "10s",
            10 * MS,
            HOUR,
            "How long a process may take to confirm the table of addresses that it was sent.");
    static final OptionDefinition RDZV_LEASE = duration(
            "ulfm.rdzv.lease",
            "15s, or 3 * ulfm.fd.timeout if that is longer",
            100 * MS,
            96 * HOUR,
            "How long a process on another host than mpiexec's may run without an answer of mpiexec. Then it ends itself, with code"
                    + " 118; what cannot, as it is stopped, is ended by its agent soon after. mpiexec counts"
                    + " a fifth longer before it starts another process instead. With ulfm.orphans=continue processes have"
                    + " no leases, but agents do; with ulfm.ft.quorum=majority a process that has no answer for so long goes on without mpiexec. On the host of mpiexec there are none, since a process's end is proven there; the value"
                    + " is only checked against the others.");
    static final OptionDefinition RDZV_KEEPALIVE = duration(
            "ulfm.rdzv.keepalive",
            "ulfm.rdzv.lease / 5",
            10 * MS,
            96 * HOUR,
            "How far apart the messages are by which a process on another host than mpiexec's keeps its lease; at most a third of the"
                    + " lease and a quarter of ulfm.fd.timeout. Where an answer takes as long as that quarter, the process"
                    + " connects to mpiexec anew.");
    static final OptionDefinition SILENCE_LIMIT = limit(
            "ulfm.silence.limit",
            "15min",
            1_000 * MS,
            24 * HOUR,
            "How long a rank that another rank waits for may make no call of MPI before it is taken for hung. A rank inside"
                    + " a blocking call is not silent, and one that no other rank waits for may compute as long as it likes"
                    + " (docs/use/who-waits.md).");
    static final OptionDefinition SILENCE_ACTION = choice(
            "ulfm.silence.action",
            "abort",
            List.of("abort", "fail", "report"),
            "What becomes of a rank that is taken for hung: with abort the job ends with code 124 and the page who waits"
                    + " for whom; with fail the rank is killed, and the others recover as from any failure; with report a"
                    + " line says so, at most once in each ulfm.silence.limit.");
    static final OptionDefinition PROGRESS_LIMIT = limit(
            "ulfm.progress.limit",
            "1h",
            1_000 * MS,
            24 * HOUR,
            "How long no rank of the job may enter or leave a call of MPI, whatever the ranks wait for, before the job"
                    + " ends with code 124 and the page who waits for whom.");
    static final OptionDefinition REPLACE_TIMEOUT = duration(
            "ulfm.replace.timeout",
            "60s",
            MS,
            24 * HOUR,
            "How long replace() waits for new processes in the places of dead ones. It waits less where mpiexec says that"
                    + " none will come. The recovery mode calls it again, up to ulfm.rdzv.join, as long as one may come.");
    static final OptionDefinition REPLACE_ROUNDS = count(
            "ulfm.replace.rounds",
            "16",
            1,
            1000,
            "How often replace() begins to wait again because another process has died while it waited.");
    static final OptionDefinition REPLACE_POLICY = choice(
            "ulfm.replace.policy",
            "strict",
            List.of("strict", "shrink"),
            "What replace() does if a new process does not come: with strict it raises ERR_SPAWN at all members; with shrink"
                    + " it leaves the place out, and the world is smaller from then on.");
    static final OptionDefinition TRANSPORT = choice(
            "ulfm.transport",
            "auto",
            List.of("auto", "shm", "tcp"),
            "How messages travel: auto takes shared memory between processes of one host, as far as there is room for it,"
                    + " and TCP otherwise; shm and tcp force one of them.");
    static final OptionDefinition EAGER_LIMIT = bytes(
            "ulfm.eager.limit",
            "64KiB",
            0,
            RankSettings.DEFAULT_EAGER_LIMIT_BYTES,
            "Messages up to this length are sent at once; longer ones wait until the receiver has a buffer for them.");
    static final OptionDefinition EAGER_CREDIT = bytes(
            "ulfm.eager.credit",
            "4MiB",
            0,
            1 << 30,
            "What messages sent at once by the other processes of a host, each by its share, may take in the memory of one"
                    + " before they are received, each message at least 512 bytes; beyond it they wait like long ones. At"
                    + " least ulfm.eager.limit.");
    static final OptionDefinition NET_INTERFACE = networks(
            "ulfm.net.interface",
            "all but loopback and link-local ones",
            "At which of its networks mpiexec waits for other hosts; their agents try its addresses 250 ms apart. A rank listens at the"
                    + " address by which its host has reached mpiexec. A job on one host uses the loopback interface alone."
                    + " `mpiexec --mca btl_tcp_if_include` and `-iface` set it.");
    static final OptionDefinition SHM_DIR = directory(
            "ulfm.shm.dir",
            "/dev/shm",
            "Where the files through which processes of one host exchange messages are made: a file system in memory.");
    static final OptionDefinition SHM_MAX = bytes(
            "ulfm.shm.max",
            "1GiB",
            0,
            1L << 40,
            "Bytes of such files that a job may have on one host; where the file system has less, that is the bound."
                    + " Processes that get none use TCP.");
    static final OptionDefinition COLLECTIVES = choice(
            "ulfm.collectives",
            "auto",
            List.of("auto", "messages"),
            "How collective operations travel: with auto, those of a communicator whose processes share a host go through"
                    + " memory that they all read, once it has been used a little; with messages, all go by messages.");
    static final OptionDefinition WAIT = choice(
            "ulfm.wait",
            "auto",
            List.of("auto", "polite"),
            "How a blocked call waits: auto spins, then yields, then sleeps; polite leaves out the yields, for machines"
                    + " that do other work.");
    static final OptionDefinition ORPHANS = choice(
            "ulfm.orphans",
            "exit",
            List.of("exit", "continue"),
            "What becomes of the processes when mpiexec dies. `mpiexec --orphans` sets it.");
    static final OptionDefinition GRACE = duration(
            "ulfm.grace",
            "10s",
            0,
            HOUR,
            "When a job is ended from outside: time between SIGTERM and SIGKILL. At least a second of it also bounds the"
                    + " shutdown hooks of a rank that has not finalized.");
    static final OptionDefinition DISCOVERY_INTERVAL = duration(
            "ulfm.discovery.interval",
            "5s",
            100 * MS,
            HOUR,
            "How long mpiexec waits after one run of the command of --host-discovery before it runs it again.");
    static final OptionDefinition DISCOVERY_TIMEOUT = duration(
            "ulfm.discovery.timeout",
            "10s",
            10 * MS,
            HOUR,
            "How long the command of --host-discovery may run. Then it is killed, and the slots stay as they were.");
    static final OptionDefinition CLASS_ARCHIVE = choice(
            "ulfm.class.archive",
            "auto",
            List.of("auto", "off"),
            "Whether mpiexec gives the processes an archive of ulfm.jar's classes, kept in the user's cache directory and made"
                    + " by the first job: they start faster and notice a first failure sooner. On Java 25 and later a process in"
                    + " the background makes a cache with profiles besides, with which messages are fast sooner.");
    static final OptionDefinition RABIT_BOOTSTRAP = choice(
            "ulfm.rabit.bootstrap",
            "on",
            List.of("on", "off"),
            "Recovery mode: whether operations before loadCheckpoint are recorded for the whole job. With off they are not"
                    + " allowed.");
    static final OptionDefinition RABIT_TIMEOUT = duration(
            "ulfm.rabit.timeout",
            "30min",
            10 * MS,
            24 * HOUR,
            "Recovery mode: how long a call may wait for others, before it raises an exception that says for whom it waits.");
    static final OptionDefinition RABIT_REPLICAS = count(
            "ulfm.rabit.replicas",
            "5",
            1,
            1 << 16,
            "Recovery mode: how many processes keep the result of an operation until the next checkpoint, at least; of fewer than"
                    + " twice as many processes all do.");
    static final OptionDefinition RABIT_LOCAL_REPLICAS = count(
            "ulfm.rabit.local.replicas",
            "2",
            1,
            1 << 10,
            "Recovery mode: how many other processes keep a copy of a process's local model, on other hosts if there are any.");
    static final OptionDefinition RABIT_LOG_MAX = bytes(
            "ulfm.rabit.log.max",
            "1GiB",
            1 << 10,
            1L << 40,
            "Recovery mode: bytes of results that a process may keep. An operation beyond it raises an exception: the program"
                    + " makes checkpoints too seldom.");
    static final OptionDefinition RABIT_SPILL = directory(
            "ulfm.rabit.spill",
            "nowhere",
            "Recovery mode: where each process writes its checkpoints too, for when too many die at once to have one in memory. The"
                    + " files are of this job alone, and go when it ends as it should.");
    static final OptionDefinition JFR = choice(
            "ulfm.jfr",
            "off",
            List.of("off", "on"),
            "Whether waits, failures, revokes and agreements are events of the flight recordings of the processes. mpiexec turns it"
                    + " on where the command has -XX:StartFlightRecording; for recordings that begin later it must be set.");
    static final OptionDefinition VERBOSE = count(
            "ulfm.verbose", "0", 0, 1, "With 1, mpiexec tells on stderr who joined, finished and died, and when.");

    private static final OptionDefinition[] ALL = {
        FT,
        FT_QUORUM,
        FT_VERBOSE,
        INITIAL_ERRHANDLER,
        FD,
        FD_ACCURACY,
        FD_TIMEOUT,
        FD_PERIOD,
        LINK_BUDGET,
        LINK_RTO,
        LINK_RETRY,
        LINK_BUFFER,
        NET_PROTECT,
        RDZV_JOIN,
        RDZV_CONFIRM,
        RDZV_LEASE,
        RDZV_KEEPALIVE,
        SILENCE_LIMIT,
        SILENCE_ACTION,
        PROGRESS_LIMIT,
        REPLACE_TIMEOUT,
        REPLACE_ROUNDS,
        REPLACE_POLICY,
        TRANSPORT,
        EAGER_LIMIT,
        EAGER_CREDIT,
        NET_INTERFACE,
        SHM_DIR,
        SHM_MAX,
        COLLECTIVES,
        WAIT,
        ORPHANS,
        GRACE,
        DISCOVERY_INTERVAL,
        DISCOVERY_TIMEOUT,
        CLASS_ARCHIVE,
        RABIT_BOOTSTRAP,
        RABIT_TIMEOUT,
        RABIT_REPLICAS,
        RABIT_LOCAL_REPLICAS,
        RABIT_LOG_MAX,
        RABIT_SPILL,
        JFR,
        INJECT_AFTER,
        INJECT_RESET,
        INJECT_BLACKHOLE,
        VERBOSE
    };

    private KnownOptions() {}

    /** Returns the options by name, in the order of the documentation. */
    static Map<String, OptionDefinition> byName() {
        Map<String, OptionDefinition> byName = new LinkedHashMap<>();
        for (OptionDefinition definition : ALL) {
            byName.put(definition.name(), definition);
        }
        return byName;
    }
}
