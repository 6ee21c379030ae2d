package org.ulfmj.launch.agent;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.ulfmj.command.UsageException;
import org.ulfmj.launch.host.JobDirectory;
import org.ulfmj.launch.process.Binding;
import org.ulfmj.launch.process.Guardian;
import org.ulfmj.launch.process.SignalSender;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.WireFormatException;
import org.ulfmj.runtime.options.HostPlace;
import org.ulfmj.runtime.options.Options;
import org.ulfmj.runtime.process.Signals;
import org.ulfmj.transport.host.CoreWaits;
import org.ulfmj.transport.host.ProcessStat;
import org.ulfmj.transport.session.LinkIdentity;
import org.ulfmj.transport.shm.ShmDirectory;
import org.ulfmj.transport.shm.ShmSweeper;
import org.ulfmj.transport.tcp.LinkFault;
import org.ulfmj.transport.tcp.SlotEnds;

/**
 * {@code mpiexec --host-agent}: the deputy of {@code mpiexec} on another host. It is the parent of the processes there,
 * notices their deaths, passes on their output, and ends all that is left at the end. It dials the launcher and is not
 * dialed.
 *
 * <p>Unless orphans are to continue: if an agent is killed, its guardian ends the processes of its host; if the
 * launcher is lost, the agent ends them some time after the lease is over.
 */
public final class HostAgent implements AgentLine.Listener {
    /** The exit code of an agent that has lost the launcher, or that the launcher has given up. */
    private static final int ORPHANED = 119;

    private static final int UNABLE = 125;
    private static final int MOST_BYTES = AgentSpec.MAX_BYTES * 4 / 3 + 16;
    private static final long PROOF_NS = 10_000_000_000L;
    private static final long STREAMS_NS = 1_000_000_000L;
    private static final long LAST_WORDS_NS = 2_000_000_000L;

    private final AgentSpec spec;
    private final int index;
    private final Options options;
    private final Orders orders = new Orders();
    private final CoreWatch cores;
    private final CountDownLatch done = new CountDownLatch(1);

    private HostPlace place;
    private volatile Guardian guardian;
    private volatile JobDirectory directory;
    private volatile ShmDirectory sharedFiles;
    private volatile HostedProcesses processes;
    private AgentLine line;
    private long aliveNs;
    private volatile long lostNs = Long.MAX_VALUE;
    /** When the agent first got SIGTERM after it was ready for processes; {@link Long#MAX_VALUE} before. */
    private long terminatedNs = Long.MAX_VALUE;

    /** Whether the agent's end has begun; its exit code is set then. */
    private volatile boolean isEnding;

    private volatile boolean hasSaidLeft;
    private volatile int exitCode;

    private HostAgent(AgentSpec spec, int index) {
        this.spec = spec;
        this.index = index;
        this.options = Options.of(spec.settings());
        this.cores = new CoreWatch(
                new CoreWaits(Path.of(ProcessStat.PROC)), options.timing().detectorTimeoutNs(), this::tell);
    }

    /**
     * Runs an agent until it has ended, and returns its exit code.
     *
     * @param which the index of the host, or the name of an environment variable that holds the host's name
     */
    public static int run(String which, InputStream stdin, Map<String, String> environment) {
        try {
            AgentSpec spec = AgentSpec.of(lineOf(stdin));
            return new HostAgent(spec, indexOf(which, spec.hosts(), environment)).work();
        } catch (IOException | WireFormatException | UsageException | IllegalArgumentException unable) {
            System.err.println("mpiexec --host-agent: " + unable.getMessage());
            return UNABLE;
        }
    }

    /** Reads stdin to its end, or until a read ends with a line feed. */
    private static String lineOf(InputStream stdin) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        byte[] piece = new byte[1 << 16];
        for (int read = stdin.read(piece); read >= 0; read = stdin.read(piece)) {
            line.write(piece, 0, read);
            if (piece[read - 1] == '\n') {
                break;
            }
            if (line.size() > MOST_BYTES) {
                throw new IOException("stdin holds no specification of an agent: its line is too long");
            }
        }
        return line.toString(StandardCharsets.US_ASCII);
    }

    private static int indexOf(String which, List<AgentSpec.Host> hosts, Map<String, String> environment) {
        String name = environment.get(which);
        for (int index = 0; index < hosts.size(); index++) {
            if (which.equals(Integer.toString(index)) || hosts.get(index).name().equals(name)) {
                return index;
            }
        }
        throw new IllegalArgumentException(
                name == null
                        ? "'" + which + "' is no host of this job, which has hosts 0 to " + (hosts.size() - 1)
                        : which + " is '" + name + "', which is no host of this job");
    }

    private AgentSpec.Host host() {
        return spec.hosts().get(index);
    }

    private int work() throws IOException {
        LauncherSearch.Way way = new LauncherSearch(spec.addresses(), spec.linePort()).find(PROOF_NS);
        place = new HostPlace(index, spec.hosts().size(), host().key(), way.here(), true);
        LinkIdentity self = new LinkIdentity(new ProcessId(index + 1, host().attempt()), host().nonce());
        line = new AgentLine(self, spec.secret(), options, null, this);
        line.start(List.of(AgentLine.launcher(spec.launcherNonce(), way.launcher(), spec.linePort())));
        for (String signal : List.of("INT", "HUP")) {
            Signals.handle(signal, () -> end(UNABLE, false));
        }
        Signals.handle("TERM", () -> line.run(this::terminate));
        try {
            prepare(way.launcher());
            tell(new AgentNews.Ready(way.launcher(), ProcessHandle.current().pid()));
        } catch (IOException | UsageException unable) {
            tell(new AgentNews.Unable(unable.getMessage()));
            end(UNABLE, false);
        }
        try {
            done.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException("the agent's main thread is never interrupted", e);
        }
        line.close();
        return exitCode;
    }

    private void prepare(String launcher) throws IOException {
        Path path = directoryOf(host().attempt());
        Path shmPath = sharedFilesOf(host().attempt());
        if (host().formerKey() != 0) {
            // The former agent may have been killed in the middle of anything. This kills the processes and removes the
            // directories that it has left.
            int former = host().formerAttempt();
            Guardian.start(Guardian.Mark.ofHost(host().formerKey()), directoryOf(former), sharedFilesOf(former), false)
                    .sweep();
        }
        guardian = Guardian.start(Guardian.Mark.ofHost(host().key()), path, shmPath, options.doOrphansContinueApart());
        directory = JobDirectory.create(path);
        spec.secret().write(directory.secret());
        Files.writeString(directory.configuration(), spec.configuration());
        if (options.usesSharedMemory() && options.shmMaxBytes() > 0 && Files.isDirectory(shmPath.getParent())) {
            sharedFiles = ShmDirectory.create(shmPath);
            ShmSweeper.sweep(options.shmDirectory());
        }
        Binding binding = Binding.of(spec.bindTo(), spec.cpuList(), host().processes(), isJava());
        long unreapedNs = options.isFaultTolerant() ? options.timing().detectorTimeoutNs() / 2 : Long.MAX_VALUE;
        HostedProcesses made = new HostedProcesses(
                spec,
                place,
                directory,
                launcher + ":" + spec.rendezvousPort(),
                binding,
                unreapedNs,
                options.graceNs(),
                this::tell);
        line.run(() -> processes = made);
    }

    private Path directoryOf(int attempt) {
        return JobDirectory.pathFor(nameOf(attempt), System.getenv());
    }

    private Path sharedFilesOf(int attempt) {
        return ShmDirectory.pathFor(options.shmDirectory(), nameOf(attempt));
    }

    /**
     * Returns the part of a directory's name that is different for each host, since hosts may share a disk, and for
     * each agent of a host.
     */
    private String nameOf(int attempt) {
        return spec.runId() + "." + index + (attempt == 0 ? "" : "." + attempt);
    }

    /**
     * Handles SIGTERM, by which a batch system wants the host back: the processes get SIGTERM and some time to end. A
     * second SIGTERM, which batch systems may send, is ignored. An agent that is not ready for processes yet ends.
     */
    private void terminate() {
        if (processes == null) {
            end(UNABLE, false);
        } else if (terminatedNs == Long.MAX_VALUE) {
            terminatedNs = System.nanoTime();
            tell(new AgentNews.Terminating());
            processes.terminate();
        }
    }

    private boolean isJava() {
        return spec.commands().stream().allMatch(command -> command.isJava());
    }

    private void tell(AgentMessage message) {
        line.send(ProcessId.of(AgentLine.LAUNCHER), message);
    }

    // ---- the line, on its thread

    @Override
    public void onMessage(ProcessId from, AgentMessage message) {
        boolean isHeard = message instanceof AgentOrder.End
                || message instanceof AgentOrder.Start
                || processes != null && !isEnding;
        if (isHeard && message instanceof AgentOrder order) {
            order.tell(orders);
        }
    }

    @Override
    public void onLinkLost(ProcessId launcher) {
        if (lostNs == Long.MAX_VALUE) {
            lostNs = System.nanoTime() - options.timing().linkBudgetNs();
        }
    }

    @Override
    public void onLinkRestored(ProcessId launcher) {
        lostNs = Long.MAX_VALUE;
    }

    /** Called when the launcher has given up this host and its processes: the agent ends them and itself. */
    @Override
    public void onExcluded() {
        end(ORPHANED, false);
    }

    @Override
    public void onTick(long nowNs) {
        if (processes != null) {
            processes.tick(nowNs);
            cores.tick(nowNs);
        }
        // While no message reaches the launcher, an Alive message is waiting already.
        if (nowNs >= aliveNs && lostNs == Long.MAX_VALUE) {
            aliveNs = nowNs + options.timing().heartbeatPeriodNs();
            tell(new AgentNews.Alive());
        }
        // The ranks end themselves at the end of their leases. A rank that does not, because it is stopped for
        // instance, is ended here.
        long endNs = options.leaseNs() + options.beyondLeaseNs();
        boolean isLost = lostNs != Long.MAX_VALUE && nowNs - lostNs >= endNs;
        if (isLost && !options.doOrphansContinueApart()) {
            end(ORPHANED, false);
        } else if (isLost && processes != null) {
            processes.discardOutput();
            processes.endIdle(nowNs, options.timing().detectorTimeoutNs());
            if (processes.haveAllEnded()) {
                end(ORPHANED, true);
            }
        }
        boolean isTerminated = terminatedNs != Long.MAX_VALUE;
        if (isTerminated && (processes.haveAllEnded() || nowNs - terminatedNs >= options.graceNs())) {
            end(UNABLE, false);
        }
        if (hasSaidLeft && (line.isHandedOver(ProcessId.of(AgentLine.LAUNCHER)) || isLost)) {
            done.countDown();
        }
    }

    @Override
    public void onBroken(Throwable why) {
        System.err.println("mpiexec --host-agent: broken: " + why);
        why.printStackTrace();
        end(UNABLE, false);
    }

    /**
     * Begins to end the agent, unless its end has begun already. Any thread.
     *
     * @param isClean whether processes of the job that are left on this host may go on; else they are killed
     */
    private void end(int code, boolean isClean) {
        synchronized (this) {
            if (isEnding) {
                return;
            }
            isEnding = true;
            exitCode = code;
        }
        Thread thread = new Thread(() -> leave(isClean), "agent-end");
        thread.start();
    }

    private void leave(boolean isClean) {
        // The agent may be told to end while it is still preparing; then the guardian removes what has been made.
        if (guardian != null && isClean && directory != null) {
            directory.remove();
            if (sharedFiles != null) {
                sharedFiles.remove();
            }
            guardian.dismiss();
        } else if (guardian != null) {
            guardian.sweep();
        }
        if (processes != null) {
            processes.awaitStreams(STREAMS_NS);
        }
        tell(new AgentNews.Left());
        hasSaidLeft = true;
        try {
            if (!done.await(LAST_WORDS_NS, TimeUnit.NANOSECONDS)) {
                done.countDown();
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException("the agent's last thread is never interrupted", e);
        }
    }

    /** Carries out the launcher's orders, on the line's thread. */
    private final class Orders implements AgentOrder.Handler {
        @Override
        public void onStart(AgentOrder.Start start) {
            if (processes == null || isEnding || terminatedNs != Long.MAX_VALUE) {
                tell(new AgentNews.NotStarted(start.number(), "its host is wanted back, or its agent ends"));
                return;
            }
            processes.start(start);
        }

        @Override
        public void onSignal(AgentOrder.Signal signal) {
            processes.signal(signal);
        }

        @Override
        public void onCondemn(AgentOrder.Condemn condemned) {
            processes.condemn(condemned);
        }

        @Override
        public void onAssigned(AgentOrder.Assigned assigned) {
            processes.assigned(assigned);
        }

        @Override
        public void onInput(AgentOrder.Input input) {
            processes.input(input);
        }

        @Override
        public void onOutputRead(AgentOrder.OutputRead read) {
            processes.outputRead(read);
        }

        @Override
        public void onWatchCores(AgentOrder.WatchCores watch) {
            cores.watch(watch, System.nanoTime());
        }

        @Override
        public void onKill(AgentOrder.Kill kill) {
            SignalSender.sendTo("KILL", List.of(ProcessHandle.current().pid()));
        }

        @Override
        public void onDeafen(AgentOrder.Deafen deafen) {
            long endNs = deafen.durationNs() == 0 ? Long.MAX_VALUE : deafen.durationNs();
            line.inject(List.of(LinkFault.cut(new SlotEnds(AgentLine.LAUNCHER, index + 1, false), 0, endNs)));
        }

        @Override
        public void onEnd(AgentOrder.End ended) {
            end(0, ended.isClean());
        }
    }
}
