package org.ulfmj.runtime.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.rendezvous.RunSpec;
import org.ulfmj.rendezvous.ServerListener;
import org.ulfmj.rendezvous.message.OutReason;
import org.ulfmj.rendezvous.rounds.Joiner;
import org.ulfmj.rendezvous.rounds.WorldSize;
import org.ulfmj.rendezvous.server.RendezvousServer;
import org.ulfmj.runtime.options.FaultTrigger;
import org.ulfmj.runtime.options.HostPlace;
import org.ulfmj.runtime.options.JobConfiguration;
import org.ulfmj.runtime.options.LaunchEnvironment;
import org.ulfmj.runtime.options.Options;
import org.ulfmj.runtime.options.WithoutSlot;
import org.ulfmj.transport.MemberRecord;
import org.ulfmj.transport.auth.JobSecret;
import org.ulfmj.transport.shm.ShmDirectory;

/**
 * An elastic job of real processes whose launcher is the test. It starts processes without a slot, sends SIGKILL where
 * a rule of a fault plan is reached or a process is judged silent, and tells the rendezvous of each process's end by
 * the process's nonce.
 */
final class ElasticWorld implements ServerListener, AutoCloseable {
    private static final String RUN = "elastic";

    final RendezvousServer server;
    private final int min;
    private final int max;
    private final Path directory;
    private final Path secretFile;
    private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
    private final List<Child> children = new ArrayList<>();

    /** The nonces of the children that have joined, by the child's number; guarded by this map itself. */
    private final Map<Integer, Long> nonces = new HashMap<>();

    /** The reasons of the ends of children that had not joined yet, by number; guarded by {@link #nonces}. */
    private final Map<Integer, String> endedEarly = new HashMap<>();

    /** The nonces of processes by their present name; used by the server's thread only. */
    private final Map<ProcessId, Long> named = new HashMap<>();

    /** @param triggers by slot */
    ElasticWorld(int min, int max, Path base, Map<String, String> settings, Map<Integer, List<FaultTrigger>> triggers)
            throws IOException {
        this.min = min;
        this.max = max;
        this.directory = Files.createDirectory(base.resolve(LaunchEnvironment.DIRECTORY_PREFIX + RUN));
        this.secretFile = directory.resolve("secret");
        JobSecret secret = JobSecret.random();
        secret.write(secretFile);
        Map<String, String> all = new TreeMap<>(settings);
        all.put("ulfm.shm.dir", base.toString());
        Options options = Options.of(all);
        ShmDirectory.create(ShmDirectory.pathFor(options.shmDirectory(), RUN));
        new JobConfiguration(options, triggers).write(directory.resolve("conf"));
        RunSpec run = new RunSpec(
                        RUN,
                        new WorldSize(min, max, 60_000_000_000L),
                        options.hash(),
                        options.joinTimeoutNs(),
                        options.confirmTimeoutNs())
                .withSilence(options.timing().detectorTimeoutNs());
        server = new RendezvousServer(run, secret, this);
        server.start();
    }

    /**
     * Starts the least number of processes that the world needs. Once all of them have joined, ends the time in which
     * further processes may join before the world begins.
     */
    List<Child> begin(String... words) throws Exception {
        List<Child> founders = start(min, words);
        for (int i = 0; i < min; i++) {
            await("arrived");
        }
        server.endLastCall();
        return founders;
    }

    /** Starts processes. */
    List<Child> start(int count, String... words) throws IOException {
        List<Child> started = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            started.add(startOne(words));
        }
        return started;
    }

    private Child startOne(String... words) throws IOException {
        int number = children.size() + 1;
        Map<String, String> environment = new HashMap<>();
        new LaunchEnvironment(
                        RUN,
                        null,
                        max,
                        number - 1,
                        max,
                        HostPlace.only(0),
                        server.address(),
                        secretFile,
                        directory.resolve("conf"),
                        0,
                        false,
                        new WithoutSlot(number, min, max))
                .writeTo(environment);
        Child child = Child.start(RankProgram.class, environment, words);
        children.add(child);
        child.onExit(code -> ended(number, "exit code " + code));
        return child;
    }

    private void ended(int number, String reason) {
        Long nonce;
        synchronized (nonces) {
            nonce = nonces.get(number);
            if (nonce == null) {
                endedEarly.put(number, reason);
            }
        }
        if (nonce != null) {
            server.about(nonce, process -> process.ended(reason));
        }
    }

    /** Waits until the rendezvous tells this piece of news; other news that comes before is skipped. */
    void await(String wanted) throws InterruptedException {
        String line = heard.poll(60, TimeUnit.SECONDS);
        while (!wanted.equals(line)) {
            if (line == null) {
                throw new AssertionError("never heard: " + wanted);
            }
            line = heard.poll(60, TimeUnit.SECONDS);
        }
    }

    @Override
    public void close() {
        children.forEach(Child::close);
        server.close();
    }

    @Override
    public void onArrived(Joiner joiner) {
        named.put(joiner.member().id(), joiner.nonce());
        String end;
        synchronized (nonces) {
            nonces.put(joiner.localIndex(), joiner.nonce());
            end = endedEarly.remove(joiner.localIndex());
        }
        if (end != null) {
            server.about(joiner.nonce(), process -> process.ended(end));
        }
        heard.add("arrived");
    }

    @Override
    public void onBegun(List<MemberRecord> members) {
        onNames(members);
    }

    @Override
    public void onCommitted(ProcessId from, int epoch, List<MemberRecord> members) {
        onNames(members);
        heard.add("committed " + members.size());
    }

    private void onNames(List<MemberRecord> members) {
        for (MemberRecord member : members) {
            named.put(member.id(), member.nonce());
        }
    }

    /** Sends SIGKILL to the process, as a launcher does, and never SIGTERM. */
    @Override
    public void onReached(ProcessId process, int rule) {
        kill(named.get(process));
        heard.add("reached rule " + rule);
    }

    private void kill(long nonce) {
        synchronized (nonces) {
            nonces.forEach((number, known) -> {
                if (known == nonce) {
                    children.get(number - 1).kill();
                }
            });
        }
    }

    @Override
    public void onSilent(ProcessId process, String reason) {
        heard.add("silent " + process + ": " + reason);
        kill(named.get(process));
    }

    @Override
    public void onExcluded(ProcessId process) {
        heard.add("excluded " + process);
    }

    @Override
    public void onJoined(ProcessId process) {}

    @Override
    public void onFinal() {
        heard.add("final");
    }

    @Override
    public void onWorldGone() {
        heard.add("gone");
    }

    @Override
    public void onClosed(OutReason reason, String text) {
        heard.add("closed " + text);
    }

    @Override
    public void onGoodbye(ProcessId process, SlotSet heldForFailed) {
        heard.add("goodbye " + process);
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
