package org.ulfmj.runtime.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.rendezvous.RunSpec;
import org.ulfmj.rendezvous.ServerListener;
import org.ulfmj.rendezvous.message.OutReason;
import org.ulfmj.rendezvous.server.RendezvousServer;
import org.ulfmj.runtime.options.FaultTrigger;
import org.ulfmj.runtime.options.HostPlace;
import org.ulfmj.runtime.options.JobConfiguration;
import org.ulfmj.runtime.options.LaunchEnvironment;
import org.ulfmj.runtime.options.Options;
import org.ulfmj.transport.auth.JobSecret;
import org.ulfmj.transport.host.CoreWaits;
import org.ulfmj.transport.host.ProcessStat;
import org.ulfmj.transport.shm.ShmDirectory;

/**
 * A job of real processes whose launcher is the test. The processes share memory if the settings name a directory for
 * it.
 */
final class ProcessWorld implements ServerListener, AutoCloseable {
    private static final String RUN = "test";
    /** The longest time that {@link #await} waits for a piece of news. */
    private static final long MOST_NS = 120_000_000_000L;

    final RendezvousServer server;
    private final int size;
    final Path directory;
    private final Path secretFile;
    private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
    private final List<Child> children = new ArrayList<>();
    private final CoreWaits coreWaits = new CoreWaits(Path.of(ProcessStat.PROC));

    /** @param base the directory in which the job's directory is created */
    ProcessWorld(int size, Path base, Map<String, String> settings, Map<Integer, List<FaultTrigger>> triggers)
            throws IOException {
        this.size = size;
        this.directory = Files.createDirectory(base.resolve(LaunchEnvironment.DIRECTORY_PREFIX + RUN));
        this.secretFile = directory.resolve("secret");
        JobSecret secret = JobSecret.random();
        secret.write(secretFile);
        Options options = Options.of(settings);
        if (settings.containsKey("ulfm.shm.dir")) {
            ShmDirectory.create(ShmDirectory.pathFor(options.shmDirectory(), RUN));
        }
        new JobConfiguration(options, triggers).write(directory.resolve("conf"));
        RunSpec run = new RunSpec(RUN, size, options.hash(), options.joinTimeoutNs(), options.confirmTimeoutNs())
                .withSilence(options.timing().detectorTimeoutNs());
        server = new RendezvousServer(run, secret, this);
        server.start();
    }

    /** Starts all ranks with the same arguments, and waits until they have joined. */
    List<Child> start(String... words) throws Exception {
        for (int slot = 0; slot < size; slot++) {
            start(slot, words);
        }
        for (int slot = 0; slot < size; slot++) {
            children.get(slot).awaitLine("joined " + slot + " of " + size);
        }
        return children;
    }

    Child start(int slot, String... words) throws IOException {
        Map<String, String> environment = new HashMap<>();
        new LaunchEnvironment(
                        RUN,
                        ProcessId.of(slot),
                        size,
                        slot,
                        size,
                        HostPlace.only(0),
                        server.address(),
                        secretFile,
                        directory.resolve("conf"),
                        0,
                        false,
                        null)
                .writeTo(environment);
        Child child = Child.start(RankProgram.class, environment, words);
        children.add(child);
        return child;
    }

    /** Waits until the rendezvous tells this piece of news; other news that comes before is skipped. */
    void await(String wanted) throws InterruptedException {
        Set<String> others = new LinkedHashSet<>();
        long untilNs = System.nanoTime() + MOST_NS;
        String line = heard.poll(MOST_NS, TimeUnit.NANOSECONDS);
        while (!wanted.equals(line)) {
            if (line == null) {
                throw new AssertionError("never heard: " + wanted + "; but: " + others);
            }
            others.add(line);
            // Some news is repeated for ever.
            line = heard.poll(untilNs - System.nanoTime(), TimeUnit.NANOSECONDS);
        }
    }

    /** Waits until some rank says goodbye and names exactly these ranks as failed. */
    void awaitGoodbye(String failed) throws InterruptedException {
        String line = heard.poll(60, TimeUnit.SECONDS);
        while (line != null && !(line.startsWith("goodbye ") && line.endsWith(failed))) {
            line = heard.poll(60, TimeUnit.SECONDS);
        }
        if (line == null) {
            throw new AssertionError("no goodbye that holds for failed " + failed);
        }
    }

    @Override
    public void close() {
        children.forEach(Child::close);
        server.close();
    }

    @Override
    public void onJoined(ProcessId process) {
        heard.add("joined " + process);
    }

    @Override
    public void onFinal() {
        heard.add("final");
    }

    @Override
    public void onClosed(OutReason reason, String text) {
        heard.add("closed " + text);
    }

    @Override
    public void onGoodbye(ProcessId process, SlotSet heldForFailed) {
        heard.add("goodbye " + process + " " + heldForFailed);
    }

    @Override
    public void onReached(ProcessId process, int rule) {
        heard.add("reached " + process + " rule " + rule);
    }

    @Override
    public void onSuspect(ProcessId from, ProcessId about) {
        heard.add("suspected " + about + " by " + from);
    }

    @Override
    public void onSilent(ProcessId process, String reason) {
        heard.add("silent " + process + ": " + reason);
    }

    /** As in mpiexec: the time in which a rank waited for a core on a busy machine does not count as silence. */
    @Override
    public long waitedForCoreNs(ProcessId process, long pid) {
        return coreWaits.sinceLast(process, pid);
    }

    @Override
    public void onFenced(ProcessId process, String reason) {
        heard.add("fenced " + process);
    }

    @Override
    public void onAbort(ProcessId by, int code, String reason) {
        heard.add("abort by " + by + " " + code);
    }

    @Override
    public void onBroken(Throwable cause) {
        heard.add("broken " + cause);
    }
}
