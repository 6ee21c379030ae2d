package org.ulfmj.launch;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntConsumer;
import org.ulfmj.launch.command.LaunchRequest;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.runtime.LaunchEnvironment;

/** The processes of a job that run, and the threads that forward what they write. Used by one thread. */
final class Processes {
    private static final byte[] NO_TAG = {};

    private final LaunchRequest request;
    private final Binding binding;
    private final LineSink out;
    private final LineSink err;
    private final IntConsumer onStacks;
    private final Map<Integer, RankProcess> running = new TreeMap<>();
    private final List<Thread> forwarders = new ArrayList<>();

    /** @param onStacks told the slot of a process that begins to write the stacks of its threads; any thread */
    Processes(LaunchRequest request, Binding binding, LineSink out, LineSink err, IntConsumer onStacks) {
        this.onStacks = onStacks;
        this.request = request;
        this.binding = binding;
        this.out = out;
        this.err = err;
    }

    /** @throws IOException if the system cannot start it */
    RankProcess start(LaunchEnvironment place) throws IOException {
        ProcessId id = place.process();
        Map<String, String> environment = new TreeMap<>(request.command().environment());
        place.writeTo(environment);
        List<String> words = new ArrayList<>(binding.prefix(id.slot()));
        words.addAll(request.command().words());
        RankProcess process = RankProcess.start(id, words, environment, request.workingDirectory());
        running.put(id.slot(), process);
        StackDumpNotice notice = new StackDumpNotice(() -> onStacks.accept(id.slot()));
        forward(id, notice.watch(process.process().getInputStream()), out, "stdout");
        forward(id, process.process().getErrorStream(), err, "stderr");
        return process;
    }

    Collection<RankProcess> running() {
        return running.values();
    }

    /** The state letter of the process of a slot, as {@link ProcessState#read}. */
    char stateOf(int slot) {
        RankProcess process = running.get(slot);
        ProcessState state = process == null ? null : ProcessState.open(process.pid());
        if (state == null) {
            return ProcessState.GONE;
        }
        try (state) {
            return state.read();
        }
    }

    /** The process of this slot was reaped: its pid may be another's by now. */
    void ended(int slot) {
        running.remove(slot);
    }

    /** SIGKILL to the process of a slot; returns its pid, or 0 if it has ended. */
    long kill(int slot) {
        RankProcess process = running.get(slot);
        if (process == null || process.hasEnded()) {
            return 0;
        }
        process.kill();
        if (!request.command().isJava()) {
            // A script is not the rank but what it started is.
            SignalSender.sendToGroups("KILL", List.of(process));
        }
        return process.pid();
    }

    /** SIGKILL to all that the process of a slot started and that stayed in its group. */
    void killGroup(int slot) {
        RankProcess process = running.get(slot);
        if (process != null && process.leadsGroup()) {
            SignalSender.sendToGroups("KILL", List.of(process));
        }
    }

    /** A signal to all that run and what they started. */
    void signal(String name) {
        SignalSender.sendToGroups(name, running.values());
    }

    /** Java virtual machines write the stacks of their threads; anything else would end by this. */
    void dumpStacks() {
        SignalSender.sendAlone("QUIT", running.values());
    }

    /** Waits until what the processes wrote has been forwarded; for what their children still hold open, not for ever. */
    void awaitOutput(long mostMs) {
        long deadlineMs = System.currentTimeMillis() + mostMs;
        try {
            for (Thread forwarder : forwarders) {
                forwarder.join(Math.max(1, deadlineMs - System.currentTimeMillis()));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void forward(ProcessId id, InputStream stream, LineSink sink, String name) {
        byte[] tag = request.tagOutput() ? ("[" + id + "]<" + name + ">: ").getBytes(StandardCharsets.UTF_8) : NO_TAG;
        Thread thread = new Thread(new OutputForwarder(stream, sink, tag), name + "-" + id);
        thread.setDaemon(true);
        thread.start();
        forwarders.add(thread);
    }
}
