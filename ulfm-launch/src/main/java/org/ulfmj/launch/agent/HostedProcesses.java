package org.ulfmj.launch.agent;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.ulfmj.launch.host.DeathWatch;
import org.ulfmj.launch.host.EarlyBinding;
import org.ulfmj.launch.host.JobDirectory;
import org.ulfmj.launch.process.Binding;
import org.ulfmj.launch.process.RankProcess;
import org.ulfmj.launch.process.SignalSender;
import org.ulfmj.launch.process.WholeStream;
import org.ulfmj.launch.program.StartCommand;
import org.ulfmj.rendezvous.silence.SilenceJudge;
import org.ulfmj.runtime.options.HostPlace;
import org.ulfmj.runtime.options.LaunchEnvironment;
import org.ulfmj.runtime.options.WithoutSlot;
import org.ulfmj.transport.host.ProcessStat;

/**
 * The processes of a host agent: starts and signals them as the launcher orders, and reports what happens to them. Used
 * by the thread of the agent's line, except for what the {@link DeathWatch} finds and for the threads of streams.
 */
final class HostedProcesses implements DeathWatch.Findings {
    private static final byte[] END = {};
    private static final long LOOK_NS = 5_000_000;

    private final AgentSpec spec;
    private final HostPlace place;
    private final JobDirectory directory;
    private final String rendezvous;
    private final Consumer<AgentMessage> launcher;
    private final Binding binding;
    private final EarlyBinding early;
    private final DeathWatch watch;
    private final Map<Integer, Hosted> hosted = new TreeMap<>();
    private final Map<RankProcess, Integer> numbers = new ConcurrentHashMap<>();
    /**
     * For each process that is stopped or in uninterruptible sleep, since when it has been seen so, by the clock of
     * {@link System#nanoTime}.
     */
    private final Map<RankProcess, Long> stillSinceNs = new ConcurrentHashMap<>();
    /** How many output streams have not been read to their end. */
    private final AtomicInteger pumping = new AtomicInteger();
    /** Whether the launcher is lost for good, so that output has no reader and is dropped. */
    private volatile boolean isDiscarding;

    /** A process that the agent has started, with its streams. */
    private static final class Hosted {
        final RankProcess process;
        final Credit out = new Credit();
        final Credit err = new Credit();
        /** Pieces of its stdin; null if the process reads no stdin. */
        final BlockingQueue<byte[]> input;

        Hosted(RankProcess process, boolean readsInput) {
            this.process = process;
            this.input = readsInput ? new LinkedBlockingQueue<>() : null;
        }
    }

    /**
     * @param rendezvous where the ranks of this host reach the launcher's rendezvous, as {@code host:port}
     * @param launcher takes messages to the launcher
     * @param unreapedNs as for {@link DeathWatch}
     * @param graceNs as for {@link DeathWatch}
     */
    HostedProcesses(
            AgentSpec spec,
            HostPlace place,
            JobDirectory directory,
            String rendezvous,
            Binding binding,
            long unreapedNs,
            long graceNs,
            Consumer<AgentMessage> launcher) {
        this.spec = spec;
        this.place = place;
        this.directory = directory;
        this.rendezvous = rendezvous;
        this.binding = binding;
        this.early = new EarlyBinding(binding);
        this.launcher = launcher;
        this.watch = new DeathWatch(this, Path.of(ProcessStat.PROC), unreapedNs, graceNs);
        watch.start();
    }

    void start(AgentOrder.Start start) {
        StartCommand command = spec.commands().get(start.command());
        Map<String, String> environment = new TreeMap<>(command.environment());
        environment.putAll(start.environment());
        new LaunchEnvironment(
                        spec.runId(),
                        spec.isElastic() ? null : start.id(),
                        spec.size(),
                        start.localRank(),
                        spec.hosts().get(place.index()).processes(),
                        place,
                        rendezvous,
                        directory.secret(),
                        directory.configuration(),
                        spec.maxRestarts(),
                        !spec.isElastic() && binding.isToCores(),
                        withoutSlot(start))
                .writeTo(environment);
        RankProcess process;
        try {
            requireThere(command);
            process = RankProcess.start(
                    start.id(),
                    start.spare(),
                    binding.words(command, start.id() == null ? -1 : start.localRank()),
                    environment,
                    command.directory(),
                    start.isMerged(),
                    start.readsInput());
        } catch (IOException refused) {
            launcher.accept(new AgentNews.NotStarted(start.number(), refused.getMessage()));
            return;
        }
        Hosted one = new Hosted(process, start.readsInput());
        hosted.put(start.number(), one);
        numbers.put(process, start.number());
        launcher.accept(new AgentNews.Started(start.number(), process.pid()));
        early.started(process, System.nanoTime());
        watch.watch(process, command.isJava());
        pump(start.number(), one, true);
        if (!start.isMerged()) {
            pump(start.number(), one, false);
        }
        if (one.input != null) {
            feed(start.number(), one);
        }
    }

    /**
     * Returns what a process without a slot is told about itself. In an elastic job this includes its number as a
     * child, which the ledger counts from 0 and the process is told from 1.
     */
    private WithoutSlot withoutSlot(AgentOrder.Start start) {
        return spec.isElastic()
                ? new WithoutSlot(start.id().slot() + 1, spec.min(), spec.size())
                : WithoutSlot.spare(start.spare());
    }

    /**
     * Throws an exception that names the working directory, executable or jar that is missing on this host, the first
     * of them. Executables and jars are looked for only where their paths are absolute, and a jar only where it is the
     * first entry of the class path of {@code java}.
     */
    private static void requireThere(StartCommand command) throws IOException {
        if (!Files.isDirectory(command.directory())) {
            throw new IOException("there is no directory " + command.directory() + " (--wdir chooses another)");
        }
        String executable = command.words().get(0);
        if (executable.startsWith("/") && !Files.isExecutable(Path.of(executable))) {
            throw new IOException("there is no executable file " + executable);
        }
        int at = command.words().indexOf("-cp");
        String jar = at < 0 ? "" : command.words().get(at + 1).split(":", 2)[0];
        if (command.isJava() && jar.startsWith("/") && jar.endsWith(".jar") && !Files.isReadable(Path.of(jar))) {
            throw new IOException("there is no file " + jar);
        }
    }

    void signal(AgentOrder.Signal signal) {
        Hosted one = hosted.get(signal.number());
        boolean isForOrphans = signal.toGroup() && signal.name().equals("KILL");
        if (one == null || one.process.hasEnded() && !isForOrphans) {
            return;
        }
        if (signal.name().equals("KILL") && !signal.toGroup()) {
            one.process.kill();
        } else if (signal.toGroup()) {
            SignalSender.sendToGroups(signal.name(), List.of(one.process));
        } else {
            SignalSender.sendAlone(signal.name(), List.of(one.process));
        }
    }

    void condemn(AgentOrder.Condemn condemned) {
        Hosted one = hosted.get(condemned.number());
        if (one != null) {
            one.process.condemn();
        }
    }

    /**
     * Ends the processes that could stay for ever once the launcher is lost for good: a waiting spare, which gets no
     * place any more, and a process that is stopped or in uninterruptible sleep for too long.
     *
     * @param timeoutNs how long a process may be stopped or in uninterruptible sleep
     */
    void endIdle(long nowNs, long timeoutNs) {
        for (Hosted one : hosted.values()) {
            RankProcess process = one.process;
            Long sinceNs = stillSinceNs.get(process);
            boolean isStill = sinceNs != null && nowNs - sinceNs >= timeoutNs;
            if (!process.hasEnded() && (process.id() == null || isStill)) {
                process.kill();
            }
        }
    }

    void assigned(AgentOrder.Assigned assigned) {
        Hosted one = hosted.get(assigned.number());
        if (one != null && !one.process.hasEnded()) {
            one.process.assign(assigned.id());
            binding.bind(one.process.pid(), assigned.localRank());
        }
    }

    void input(AgentOrder.Input input) {
        Hosted one = hosted.get(input.number());
        if (one != null && one.input != null) {
            one.input.add(input.bytes());
        }
    }

    void outputRead(AgentOrder.OutputRead read) {
        Hosted one = hosted.get(read.number());
        if (one != null) {
            (read.isOut() ? one.out : one.err).add(read.bytes());
        }
    }

    /**
     * Whether the end of each process was reported. The end of a script that SIGTERM has ended is reported once no
     * process of its group is left, or after the grace time.
     */
    boolean haveAllEnded() {
        return numbers.isEmpty();
    }

    /** Sends SIGTERM to all running processes and to the children in their process groups. */
    void terminate() {
        List<RankProcess> running = new ArrayList<>();
        hosted.values().forEach(one -> running.add(one.process));
        running.removeIf(RankProcess::hasEnded);
        SignalSender.sendToGroups("TERM", running);
    }

    /** From now on drops the output of the processes, which go on although the launcher is lost for good. */
    void discardOutput() {
        if (!isDiscarding) {
            isDiscarding = true;
            hosted.values().forEach(one -> {
                one.out.add(CreditedInput.CREDIT_BYTES);
                one.err.add(CreditedInput.CREDIT_BYTES);
            });
        }
    }

    /** Waits until all output streams have been read to their ends, but no longer than the given time. Any thread. */
    void awaitStreams(long forNs) {
        long untilNs = System.nanoTime() + forNs;
        while (pumping.get() > 0 && System.nanoTime() < untilNs) {
            LockSupport.parkNanos(LOOK_NS);
        }
    }

    void tick(long nowNs) {
        early.tick(nowNs);
    }

    void close() {
        watch.close();
    }

    // ---- streams, each on a separate thread

    private void pump(int number, Hosted one, boolean isOut) {
        InputStream stream = isOut
                ? one.process.process().getInputStream()
                : one.process.process().getErrorStream();
        Credit credit = isOut ? one.out : one.err;
        pumping.incrementAndGet();
        Runnable reader = () -> {
            byte[] piece = new byte[AgentMessage.MAX_PIECE_BYTES];
            try {
                for (int most = credit.take(piece.length); most > 0; most = credit.take(piece.length)) {
                    int read = stream.read(piece, 0, most);
                    if (read < 0) {
                        break;
                    }
                    credit.add(isDiscarding ? most : most - read);
                    if (!isDiscarding) {
                        launcher.accept(new AgentNews.Output(number, isOut, Arrays.copyOf(piece, read)));
                    }
                }
            } catch (IOException closed) {
                // The stream was closed because the process is gone; that counts as the end of the stream.
            }
            launcher.accept(new AgentNews.Output(number, isOut, END));
            pumping.decrementAndGet();
        };
        daemon((isOut ? "stdout-" : "stderr-") + number, new WholeStream(stream, reader));
    }

    private void feed(int number, Hosted one) {
        daemon("stdin-" + number, () -> {
            try (OutputStream stdin = one.process.process().getOutputStream()) {
                for (byte[] piece = one.input.take(); piece.length > 0; piece = one.input.take()) {
                    stdin.write(piece);
                    stdin.flush();
                    launcher.accept(new AgentNews.InputRead(number, piece.length));
                }
            } catch (IOException closed) {
                launcher.accept(new AgentNews.InputClosed(number));
            } catch (InterruptedException e) {
                throw new IllegalStateException("threads of streams are never interrupted", e);
            }
        });
    }

    private static void daemon(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
    }

    // ---- findings of the death watch, on its thread

    private void tell(RankProcess process, IntFunction<AgentMessage> message) {
        Integer number = numbers.get(process);
        if (number != null) {
            launcher.accept(message.apply(number));
        }
    }

    @Override
    public void died(RankProcess process, int exitCode) {
        tell(process, number -> new AgentNews.Died(number, exitCode));
    }

    @Override
    public void ended(RankProcess process, int exitCode) {
        tell(process, number -> new AgentNews.Ended(number, exitCode));
        numbers.remove(process);
    }

    @Override
    public void unreaped(RankProcess process) {
        tell(process, AgentNews.Unreaped::new);
    }

    @Override
    public void looked(RankProcess process, char state, boolean isKillPending) {
        if (SilenceJudge.isStill(state)) {
            stillSinceNs.putIfAbsent(process, System.nanoTime());
        } else {
            stillSinceNs.remove(process);
        }
        tell(process, number -> new AgentNews.Looked(number, state, isKillPending));
    }
}
