package org.ulfmj.runtime.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.SelectableChannel;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.ulfmj.agree.message.Admission;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.rendezvous.client.ClientListener;
import org.ulfmj.rendezvous.client.IgnoredNews;
import org.ulfmj.rendezvous.client.RendezvousClient;
import org.ulfmj.rendezvous.message.OutReason;
import org.ulfmj.rendezvous.store.StoreReply;
import org.ulfmj.rendezvous.store.StoreRequest;
import org.ulfmj.runtime.member.Contacts;
import org.ulfmj.transport.MemberRecord;
import org.ulfmj.transport.seat.ChannelWatch;
import org.ulfmj.transport.tcp.TcpFabric;

/**
 * The rank's connection to its launcher, on the rank's one selector: input from the launcher wakes the thread that has
 * the seat. Under the engine lock.
 */
final class LauncherLine implements Runnable {
    /** How long this process waits, at most, until its last message to the launcher has left. */
    private static final long LAST_WORD_NS = 1_000_000_000;

    /**
     * How long a rank that aborts the job waits, at most, until the launcher tells it, as all other ranks, that the job
     * is to end. The time of an election comes on top.
     */
    private static final long ABORT_NS = 5_000_000_000L;

    private static final long PAUSE_NS = 1_000_000;

    private final RendezvousClient client;
    private final TcpFabric fabric;
    private final ClientListener listener;
    private SelectableChannel watchedChannel;
    private ChannelWatch watch;

    LauncherLine(RendezvousClient client, TcpFabric fabric, ClientListener listener) {
        this.client = client;
        this.fabric = fabric;
        this.listener = listener;
    }

    /** Called when the selector finds this connection ready: reads and writes. */
    @Override
    public void run() {
        poll(System.nanoTime());
    }

    /** Reads, writes, dials again. */
    void poll(long nowNs) {
        client.poll(nowNs, listener);
        watchChannel();
    }

    /**
     * V15: acts on the end of this process's lease as {@link RendezvousClient#fenceIfLeaseIsOver} says. To be called
     * before any other step: the process may have been stopped until now.
     *
     * @return whether the rank is to do what the listener was told before it takes any other step
     */
    boolean endPastLease(long nowNs) {
        boolean isToEnd = client.fenceIfLeaseIsOver(nowNs, listener);
        if (client.channel() != watchedChannel) {
            // While the lease was checked the launcher was dialed anew, so the selector is to watch the new channel.
            watchChannel();
        }
        return isToEnd;
    }

    /** When {@link #poll} is due without input. */
    long nextDeadlineNs() {
        return client.nextDeadlineNs();
    }

    boolean isDue(long nowNs) {
        long deadlineNs = nextDeadlineNs();
        return deadlineNs != Long.MAX_VALUE && nowNs - deadlineNs >= 0;
    }

    private void watchChannel() {
        SelectableChannel channel = client.channel();
        if (channel != watchedChannel) {
            if (watch != null) {
                watch.onClosed();
            }
            watchedChannel = channel;
            watch = channel == null ? null : begin(channel);
        } else if (watch != null) {
            watch.watchFor(client.operations());
        }
    }

    private ChannelWatch begin(SelectableChannel channel) {
        try {
            return fabric.watch(channel, client.operations(), this);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot watch the connection to mpiexec", e);
        }
    }

    void goodbye(SlotSet failed) {
        client.goodbye(failed);
        watchChannel();
    }

    boolean isGoodbyeHeard() {
        return client.isGoodbyeHeard();
    }

    /**
     * Tells the launcher that this process leaves. Returns when the launcher has confirmed that or is lost, or after
     * {@code mostNs}.
     */
    void leave(String why, long mostNs) {
        client.leave(why);
        long deadlineNs = System.nanoTime() + mostNs;
        while (!client.isLeaveHeard() && System.nanoTime() - deadlineNs < 0) {
            client.poll(System.nanoTime(), listener);
            LockSupport.parkNanos(PAUSE_NS);
        }
    }

    /** Tells the launcher that this process is a member of the world that has these members. */
    void committed(Admission world, List<MemberRecord> members) {
        client.committed((int) world.epoch(), members, world.digest(Contacts.placement(members)));
        watchChannel();
    }

    void suspect(ProcessId process) {
        client.suspect(process);
        watchChannel();
    }

    void heard(ProcessId process) {
        client.heard(process);
        watchChannel();
    }

    /** Tells the launcher, without being asked, that no thread of the program has entered or left a call for long. */
    void tellSilence() {
        client.tellSilence();
        watchChannel();
    }

    void here(long question) {
        client.here(question);
        watchChannel();
    }

    void stillNothing(long question, ProcessId process) {
        client.stillNothing(question, process);
        watchChannel();
    }

    StoreReply ask(StoreRequest request) {
        StoreReply reply = client.ask(request);
        watchChannel();
        return reply;
    }

    boolean hasRoomToAsk(StoreRequest request) {
        return client.hasRoomToAsk(request);
    }

    void withdraw(StoreReply reply) {
        client.withdraw(reply);
        watchChannel();
    }

    /**
     * Tells the launcher that this process has reached the point of a rule of the fault plan, and waits there to be
     * killed. Returns only if the launcher, which is to kill it, is lost.
     */
    void standAt(int rule) {
        client.reached(rule);
        while (!isLost()) {
            client.poll(System.nanoTime(), listener);
            LockSupport.parkNanos(PAUSE_NS);
        }
    }

    private boolean isLost() {
        return client.channel() == null && client.nextDeadlineNs() == Long.MAX_VALUE;
    }

    /**
     * Tells the launcher that this process has reached the point of a rule of the fault plan, or another mark, and
     * returns.
     */
    void tellReached(int rule) {
        client.reached(rule);
        watchChannel();
    }

    /**
     * Waits until all messages to the launcher have left this process, or the launcher is lost, for at most
     * {@link #LAST_WORD_NS}.
     */
    void flush() {
        long deadlineNs = System.nanoTime() + LAST_WORD_NS;
        while (!client.isFlushed() && System.nanoTime() - deadlineNs < 0) {
            client.poll(System.nanoTime(), listener);
            LockSupport.parkNanos(PAUSE_NS);
        }
    }

    /**
     * Asks the launcher to end the job. Returns when the launcher has told this rank that the job ends or that this
     * rank must end, or is lost, or after some seconds. If this process ended before, the other ranks would notice one
     * more death, and recover from it.
     *
     * @param electionNs for how long there may be no coordinator; 0 where the launcher alone is the coordinator
     */
    void abort(int code, String reason, long electionNs) {
        client.abort(code, reason);
        EndOfTheJob end = new EndOfTheJob();
        long deadlineNs = System.nanoTime() + ABORT_NS + electionNs;
        while (!end.isTold && !isLost() && System.nanoTime() - deadlineNs < 0) {
            client.poll(System.nanoTime(), end);
            LockSupport.parkNanos(PAUSE_NS);
        }
    }

    /** The listener of a process that waits for the end of the job, and ignores all other news. */
    private static final class EndOfTheJob extends IgnoredNews {
        private boolean isTold;

        @Override
        public void onAbort(int code, String reason) {
            isTold = true;
        }

        @Override
        public void onOut(OutReason reason, String text) {
            isTold = true;
        }

        @Override
        public void onFence(String reason) {
            isTold = true;
        }

        @Override
        public void onLauncherLost(String reason) {
            isTold = true;
        }
    }
}
