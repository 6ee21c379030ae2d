package org.ulfmj.launch.agent;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.WireReader;
import org.ulfmj.runtime.options.Options;
import org.ulfmj.transport.BufferPayload;
import org.ulfmj.transport.Frame;
import org.ulfmj.transport.FrameSink;
import org.ulfmj.transport.LaneKind;
import org.ulfmj.transport.MemberRecord;
import org.ulfmj.transport.auth.JobSecret;
import org.ulfmj.transport.host.HostProcess;
import org.ulfmj.transport.session.LinkIdentity;
import org.ulfmj.transport.tcp.LinkFault;
import org.ulfmj.transport.tcp.LinkFaults;
import org.ulfmj.transport.tcp.TcpFabric;

/**
 * One end of the lines between the launcher and its agents. The lines are link sessions, driven by a separate thread.
 * On them the launcher has slot 0, and the agent of host h has slot h + 1; the agents dial the launcher. Messages other
 * than pieces of streams and an agent's last one travel in control lanes, which overtake the bytes of streams.
 *
 * <p>{@link #send} may be called by any thread and returns at once; the listener is called by the line's thread.
 */
final class AgentLine implements FrameSink, AutoCloseable {
    /** The slot of the launcher. */
    static final int LAUNCHER = 0;

    private static final String LOOPBACK = "127.0.0.1";
    private static final long MOST_SLEEP_NS = 50_000_000;

    /** Takes what the line brings. */
    interface Listener {
        void onMessage(ProcessId from, AgentMessage message);

        /** Called when the link to the other end counts as broken, as in {@link FrameSink#onLinkBroken}. */
        void onLinkLost(ProcessId end);

        /** The other end is reached again. */
        void onLinkRestored(ProcessId end);

        /** Called when the other end says that it holds this end for dead. */
        void onExcluded();

        /** Called in each round of the line's thread, which sleeps for at most 50 ms between two rounds. */
        void onTick(long nowNs);

        /** The line's thread has failed. */
        void onBroken(Throwable why);
    }

    private record Outgoing(ProcessId to, LaneKind lane, byte[] bytes) {}

    private final TcpFabric fabric;
    private final int ownSlot;
    private final Listener listener;
    private final Queue<Outgoing> handedIn = new ConcurrentLinkedQueue<>();
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    /** Messages that wait for room in a lane, by lane and by the end that they go to. */
    private final Map<LaneKind, Map<ProcessId, ArrayDeque<byte[]>>> waiting = new TreeMap<>();

    private final Frame frame = new Frame();
    private final Thread thread;
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile boolean isClosing;

    /**
     * @param self the identity of this end
     * @param options the options of the job
     * @param address the address on which agents are awaited; null at an agent
     * @throws IOException if no port can be opened there
     */
    AgentLine(LinkIdentity self, JobSecret secret, Options options, String address, Listener listener)
            throws IOException {
        this.listener = listener;
        this.ownSlot = self.id().slot();
        this.fabric = new TcpFabric(
                self, secret, options.timing(), options.hash(), address == null ? LOOPBACK : address, System::nanoTime);
        fabric.protect(options.protection());
        for (LaneKind lane : LaneKind.values()) {
            waiting.put(lane, new TreeMap<>());
        }
        thread = new Thread("agent-line") {
            @Override
            public void run() {
                loop();
            }
        };
        thread.setDaemon(true);
    }

    /** Returns the port at which this end waits for agents. */
    int port() {
        return fabric.port();
    }

    /** Begins, with these other ends. */
    void start(List<MemberRecord> ends) {
        fabric.connect(ends);
        thread.start();
    }

    /** Returns the record that identifies an agent; it has no address, since agents are not dialed. */
    static MemberRecord agent(int host, int attempt, long nonce) {
        return end(new ProcessId(host + 1, attempt), nonce, "", 0);
    }

    /** The record of the launcher. */
    static MemberRecord launcher(long nonce, String address, int port) {
        return end(ProcessId.of(LAUNCHER), nonce, address, port);
    }

    private static MemberRecord end(ProcessId id, long nonce, String address, int port) {
        return new MemberRecord(id, nonce, 0, address, port, "", HostProcess.UNKNOWN);
    }

    /** Sends a message to another end. Messages of the same lane arrive in order. Any thread. */
    void send(ProcessId to, AgentMessage message) {
        handedIn.add(
                new Outgoing(to, message.isData() ? LaneKind.DATA : LaneKind.CONTROL, AgentMessage.encode(message)));
        fabric.wake();
    }

    /** Runs a task on the line's thread. Any thread may call. */
    void run(Runnable task) {
        tasks.add(task);
        fabric.wake();
    }

    /** Makes the faults of a fault plan happen to the links from now on. On the line's thread. */
    void inject(List<LinkFault> faults) {
        fabric.injectFaultsNow(new LinkFaults(ownSlot, faults));
    }

    /**
     * Admits a new agent, which takes the place of the former one of its host; messages that wait for room in a lane to
     * the former one are dropped. On the line's thread.
     */
    void admit(MemberRecord agent) {
        for (Map<ProcessId, ArrayDeque<byte[]>> lane : waiting.values()) {
            lane.keySet().removeIf(end -> end.slot() == agent.id().slot());
        }
        fabric.admit(agent);
    }

    /**
     * Ends the traffic with an agent; if the agent calls, it is told that it is held for dead. On the line's thread.
     */
    void abandon(ProcessId agent) {
        for (Map<ProcessId, ArrayDeque<byte[]>> lane : waiting.values()) {
            lane.remove(agent);
        }
        fabric.abandon(agent);
    }

    /** Whether all messages that were sent to the given other end have arrived there. On the line's thread. */
    boolean isHandedOver(ProcessId end) {
        return handedIn.isEmpty()
                && !waiting.get(LaneKind.CONTROL).containsKey(end)
                && !waiting.get(LaneKind.DATA).containsKey(end)
                && fabric.isHandedOver(end);
    }

    private void loop() {
        try {
            while (!isClosing) {
                for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
                    task.run();
                }
                flush();
                fabric.pollWithSeat(this);
                long nowNs = System.nanoTime();
                listener.onTick(nowNs);
                boolean isIdle = handedIn.isEmpty() && tasks.isEmpty();
                if (isIdle && !isClosing) {
                    fabric.sleep(Math.min(fabric.nextDeadlineNs(), nowNs + MOST_SLEEP_NS));
                }
            }
        } catch (Throwable broken) {
            listener.onBroken(broken);
        } finally {
            fabric.close();
            closed.countDown();
        }
    }

    private void flush() {
        for (Outgoing next = handedIn.poll(); next != null; next = handedIn.poll()) {
            waiting.get(next.lane())
                    .computeIfAbsent(next.to(), end -> new ArrayDeque<>())
                    .add(next.bytes());
        }
        waiting.forEach(this::flush);
    }

    private void flush(LaneKind lane, Map<ProcessId, ArrayDeque<byte[]>> queues) {
        for (Iterator<Map.Entry<ProcessId, ArrayDeque<byte[]>>> each =
                        queues.entrySet().iterator();
                each.hasNext(); ) {
            Map.Entry<ProcessId, ArrayDeque<byte[]>> queue = each.next();
            while (!queue.getValue().isEmpty()
                    && offer(queue.getKey(), lane, queue.getValue().peek())) {
                queue.getValue().remove();
            }
            if (queue.getValue().isEmpty()) {
                each.remove();
            }
        }
    }

    private boolean offer(ProcessId to, LaneKind lane, byte[] bytes) {
        return fabric.offer(to, lane, frame.writeControl(new BufferPayload(ByteBuffer.wrap(bytes))));
    }

    @Override
    public void onFrame(ProcessId from, LaneKind lane, Frame received) {
        listener.onMessage(from, AgentMessage.decode(new WireReader(received.received())));
    }

    @Override
    public void onDrained(ProcessId peer) {}

    @Override
    public void onLinkBroken(ProcessId peer) {
        listener.onLinkLost(peer);
    }

    @Override
    public void onLinkRestored(ProcessId peer) {
        listener.onLinkRestored(peer);
    }

    @Override
    public void onLifelineLost(ProcessId peer) {}

    @Override
    public void onExcluded(ProcessId by) {
        listener.onExcluded();
    }

    /**
     * Ends the line's thread and closes the connections. Waits for that up to a second, unless it is called by the
     * line's own thread.
     */
    @Override
    public void close() {
        isClosing = true;
        fabric.wake();
        if (Thread.currentThread() != thread && thread.isAlive()) {
            try {
                closed.await(1, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
