package org.ulfmj.launch;

import java.io.IOException;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.protocol.WireFormatException;
import org.ulfmj.rendezvous.OutReason;
import org.ulfmj.rendezvous.RendezvousServer;
import org.ulfmj.rendezvous.RunSpec;
import org.ulfmj.rendezvous.ServerListener;
import org.ulfmj.runtime.Options;
import org.ulfmj.runtime.waits.WaitReport;
import org.ulfmj.runtime.waits.WaitReportCodec;
import org.ulfmj.transport.auth.JobSecret;

/**
 * Where the processes of the job find each other, and by which the launcher speaks to them: the embedded rendezvous, with
 * all that it tells turned into events of the job. Methods may be called by any thread and return at once.
 */
final class MeetingPoint implements ServerListener, AutoCloseable {
    private final Consumer<JobEvent> events;
    private final RendezvousServer server;
    private volatile boolean isFormed;
    private volatile boolean isBroken;

    private MeetingPoint(RunSpec run, JobSecret secret, Consumer<JobEvent> events) throws IOException {
        this.events = events;
        this.server = new RendezvousServer(run, secret, this);
    }

    /** @throws IOException if no port can be had */
    static MeetingPoint open(String runId, int size, Options options, JobSecret secret, Consumer<JobEvent> events)
            throws IOException {
        RunSpec run = new RunSpec(runId, size, options.hash(), options.joinTimeoutNs(), options.confirmTimeoutNs());
        MeetingPoint point = new MeetingPoint(run, secret, events);
        point.server.start();
        return point;
    }

    /** {@code host:port} */
    String address() {
        return server.address();
    }

    /** Whether the world runs. */
    boolean isFormed() {
        return isFormed;
    }

    /** Tells the others that a process is dead for certain; or departed, if it had said goodbye. */
    void ended(int slot, String why) {
        server.ended(ProcessId.of(slot), why);
    }

    /** The process left Finalize and has ended. */
    void departed(int slot) {
        server.departed(ProcessId.of(slot));
    }

    /** Puts the end of a process into the queue behind all that it had said before. */
    void hearOut(int slot, int exitCode) {
        JobEvent heardOut = new JobEvent.HeardOut(slot, exitCode);
        if (isBroken) {
            events.accept(heardOut);
        } else {
            server.hearOut(ProcessId.of(slot), () -> events.accept(heardOut));
        }
    }

    /** Asks a process whom it waits for; what it says becomes an event. */
    void askWaits(int slot, long request) {
        server.askWaits(ProcessId.of(slot), request);
    }

    /** Tells all processes that the job ends with this code. */
    void abort(int code, String why) {
        server.abort(code, why);
    }

    @Override
    public void close() {
        server.close();
    }

    @Override
    public void onJoined(ProcessId process) {
        events.accept(new JobEvent.Joined(process.slot()));
    }

    @Override
    public void onFinal() {
        isFormed = true;
        events.accept(new JobEvent.AllJoined());
    }

    @Override
    public void onClosed(OutReason reason, String text) {
        events.accept(new JobEvent.NotFormed(text));
    }

    @Override
    public void onGoodbye(ProcessId process, SlotSet heldForFailed) {
        Set<Integer> slots = new TreeSet<>();
        for (int slot : heldForFailed.toArray()) {
            slots.add(slot);
        }
        events.accept(new JobEvent.Finalized(process.slot(), slots));
    }

    @Override
    public void onReached(ProcessId process, int rule) {
        events.accept(new JobEvent.Reached(process.slot(), rule));
    }

    @Override
    public void onUnreachable(ProcessId from, ProcessId about) {
        events.accept(new JobEvent.Unreachable(from.slot(), about.slot()));
    }

    @Override
    public void onFenced(ProcessId process, String reason) {
        events.accept(new JobEvent.Fenced(process.slot(), reason));
    }

    @Override
    public void onAbort(ProcessId by, int code, String reason) {
        events.accept(new JobEvent.Aborted(by.slot(), code, reason));
    }

    @Override
    public void onWaits(ProcessId process, long request, byte[] report) {
        WaitReport decoded;
        try {
            decoded = WaitReportCodec.decode(report);
        } catch (WireFormatException e) {
            // As if it had not answered, which the page says.
            return;
        }
        if (decoded.process().equals(process)) {
            events.accept(new JobEvent.WaitsTold(process.slot(), request, decoded));
        }
    }

    @Override
    public void onStranger(String why) {
        events.accept(new JobEvent.Stranger(why));
    }

    @Override
    public void onBroken(Throwable cause) {
        isBroken = true;
        events.accept(new JobEvent.MeetingBroken(cause));
    }
}
