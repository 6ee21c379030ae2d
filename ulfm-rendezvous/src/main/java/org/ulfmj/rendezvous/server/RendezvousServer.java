package org.ulfmj.rendezvous.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.ulfmj.protocol.Outbox;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.rendezvous.RendezvousCore;
import org.ulfmj.rendezvous.RunSpec;
import org.ulfmj.rendezvous.ServerListener;
import org.ulfmj.rendezvous.elect.Elected;
import org.ulfmj.rendezvous.elect.HeldSteps;
import org.ulfmj.rendezvous.elect.Muteness;
import org.ulfmj.rendezvous.elect.StateKeeper;
import org.ulfmj.rendezvous.message.RendezvousCodec;
import org.ulfmj.rendezvous.message.RendezvousMessage;
import org.ulfmj.rendezvous.rounds.Joiner;
import org.ulfmj.rendezvous.store.StoreWelcome;
import org.ulfmj.transport.MemberRecord;
import org.ulfmj.transport.auth.Handshake;
import org.ulfmj.transport.auth.JobSecret;
import org.ulfmj.transport.auth.Purpose;
import org.ulfmj.transport.auth.RandomBytes;
import org.ulfmj.transport.record.Protection;
import org.ulfmj.transport.record.RecordChannel;

/**
 * The {@link RendezvousCore} on sockets, inside the launcher: one daemon thread, non-blocking channels, and nothing is
 * read of a connection before it has proved that it knows the job's secret.
 *
 * <p>Threads: everything public may be called by any thread, also by the listener, and returns at once.
 */
public final class RendezvousServer implements AutoCloseable {
    private static final int BACKLOG = 1024;
    private static final long PAUSE_STEP_NS = 10_000_000;
    private static final long END_STEP_NS = 100_000;
    private static final byte[] LOOPBACK = {127, 0, 0, 1};
    private static final String LOOPBACK_TEXT = "127.0.0.1";

    /** How many processes a job may have had whose state is stored: a process takes some 400 bytes of 1.4 MB. */
    private static final int MOST_JOINED = 3_000;

    /** An action that a public method leaves for the server's thread. */
    private interface Command {
        void run(Outbox<Long, RendezvousMessage> out);
    }

    private final RunSpec run;
    private final ServerListener listener;
    private final RendezvousCore core;
    private final Handshake handshake;
    private final Selector selector;
    private final ServerSocketChannel acceptor;
    private final Queue<Command> commands = new ConcurrentLinkedQueue<>();
    private final ServerConnections connections;

    /** No lambda: making the first lambda takes time, and the launcher has started no process yet. */
    private final Outbox<Long, RendezvousMessage> outbox = new Outbox<>() {
        @Override
        public void send(Long nonce, RendezvousMessage message) {
            connections.send(nonce, message);
        }
    };

    /** C5: holds what the core says until its state is stored; null if the job has one coordinator. */
    private final HeldSteps held;

    /** Null if the job has one coordinator. */
    private final Elected office;

    private final Muteness muteness;

    /** Where the core sends its messages. */
    private final Outbox<Long, RendezvousMessage> steps;

    /** No lambda, as above. */
    private final Greeter greeter = new Greeter() {
        @Override
        public StoreWelcome greet(long nonce, long session, long attempt) {
            return core.greet(nonce, session, attempt);
        }
    };

    /** No lambda, as above. */
    private final Door.Maker maker = new Door.Maker() {
        @Override
        public ServerConnection make(SocketChannel channel, SelectionKey key) throws IOException {
            byte[] random = RandomBytes.next(Handshake.NONCE_BYTES);
            return new ServerConnection(
                    channel, key, handshake.accept(random), run.runId(), protection, System.nanoTime(), greeter);
        }
    };

    /** What is heard on the connections. No lambda, as above. */
    private final ServerConnections.Hearer hearer = new ServerConnections.Hearer() {
        @Override
        public void heard(long nonce, RendezvousMessage message) {
            core.onMessage(nonce, message, System.nanoTime(), steps);
        }

        @Override
        public void stranger(String text) {
            listener.onStranger(text);
        }
    };

    private final Thread thread;
    private final int port;
    private final String host;
    private Protection protection = Protection.AUTO;
    private volatile boolean closing;
    private volatile byte[] lastStored;

    /** Binds a free port of the loopback address. */
    public RendezvousServer(RunSpec run, JobSecret secret, ServerListener listener) throws IOException {
        this(run, secret, LOOPBACK_TEXT, listener);
    }

    /**
     * Binds a free port.
     *
     * @param host address at which processes are waited for, as a literal
     */
    public RendezvousServer(RunSpec run, JobSecret secret, String host, ServerListener listener) throws IOException {
        this(run, secret, host, listener, null);
    }

    /**
     * Binds a free port, for a coordinator that was elected. It says and does nothing before its state is stored
     * ({@link #stored}).
     *
     * @param run as {@link RendezvousCore#runOf} reads it from the image, if there is one
     * @param elected null in a job with one coordinator
     */
    public RendezvousServer(RunSpec run, JobSecret secret, String host, ServerListener listener, Elected elected)
            throws IOException {
        this.host = host;
        this.run = run;
        this.listener = listener;
        if (elected == null) {
            this.held = null;
            this.office = null;
            this.muteness = null;
            this.steps = outbox;
            this.core = new RendezvousCore(run, listener, RandomBytes.nextLong());
        } else {
            this.held = new HeldSteps(elected.keeper(), elected.image(), this::image);
            this.steps = (nonce, message) -> held.hold(() -> outbox.send(nonce, message));
            this.office = elected;
            this.muteness = new Muteness(run.silenceNs());
            this.lastStored = elected.image();
            this.core = coreOf(elected, new HeldListener(listener, held));
            core.limitJoins(MOST_JOINED);
        }
        this.handshake = new Handshake(secret, Purpose.CONTROL, run.optionsHash());
        this.selector = Selector.open();
        this.acceptor = ServerSocketChannel.open();
        this.connections = new ServerConnections(new Door(acceptor, selector), hearer);
        boolean isLocal = host.equals(LOOPBACK_TEXT);
        // Given as four bytes: a name would load the resolver.
        InetAddress address = isLocal ? InetAddress.getByAddress(LOOPBACK) : InetAddress.getByName(host);
        acceptor.bind(new InetSocketAddress(address, 0), BACKLOG);
        port = ((InetSocketAddress) acceptor.getLocalAddress()).getPort();
        if (isLocal) {
            requireLoopback();
        }
        acceptor.configureBlocking(false);
        acceptor.register(selector, SelectionKey.OP_ACCEPT);
        this.thread = new Thread("ulfm-rendezvous") {
            @Override
            public void run() {
                loop();
            }
        };
        thread.setDaemon(true);
    }

    private RendezvousCore coreOf(Elected elected, ServerListener heldListener) {
        long boot = RandomBytes.nextLong();
        if (elected.image() == null) {
            return new RendezvousCore(run, heldListener, boot, elected.judges());
        }
        RunSpec stored = RendezvousCore.runOf(elected.image());
        if (!stored.equals(run)) {
            throw new IllegalArgumentException("the stored state is that of " + stored + ", this job is " + run);
        }
        RendezvousCore next = RendezvousCore.restored(
                elected.image(), heldListener, boot, elected.judges(), elected.findNs(), System.nanoTime());
        next.onHidden();
        return next;
    }

    private byte[] image() {
        return core.image();
    }

    /**
     * Fails early if nothing can be sent over the loopback interface: a port can be bound even then, and ranks would
     * dial in vain until their time is over.
     */
    private void requireLoopback() throws IOException {
        try (SocketChannel probe = SocketChannel.open()) {
            probe.configureBlocking(false);
            probe.connect(new InetSocketAddress(InetAddress.getByAddress(LOOPBACK), port));
        } catch (IOException unreachable) {
            throw new IOException(
                    "the loopback interface does not work (" + unreachable.getMessage()
                            + "); bring it up: ip link set lo up",
                    unreachable);
        }
    }

    /** The address at which ranks reach this server, as {@code host:port}. */
    public String address() {
        return host + ":" + port();
    }

    public int port() {
        return port;
    }

    /**
     * Sets which connections must carry encrypted records ({@code ulfm.net.protect}). To be called before
     * {@link #start}.
     */
    public void protect(Protection newProtection) {
        protection = newProtection;
    }

    public void start() {
        thread.start();
    }

    /**
     * The process is about to be started on a host, whose agent ends it if it must end. Without this call it is on the
     * launcher's own host, which has the index 0.
     *
     * @param process in an elastic world the number with which it will join, as a slot
     */
    public void placed(ProcessId process, int host) {
        command(out -> core.onPlaced(process, host));
    }

    /** As {@link #placed}, for a spare; the place that {@link #assign} gives it is on the same host. */
    public void sparePlaced(int spare, int host) {
        command(out -> core.onSparePlaced(spare, host));
    }

    /**
     * J4: a message of the host's agent came, or its first one after its line was lost, or that of a new agent. To be
     * called at least four times per {@link RunSpec#silenceNs}.
     */
    public void agentHeard(int host) {
        command(out -> core.onAgentHeard(host, System.nanoTime(), out));
    }

    /** A process that counted as ended, because its lease was over, is now proven to have ended. */
    public void proven(ProcessId process) {
        requireStatic(process);
        command(out -> core.onProven(process, System.nanoTime(), out));
    }

    /** J4: the line of the host's agent was lost. Nothing can be ended there until {@link #agentHeard}. */
    public void agentLost(int host) {
        command(out -> core.onAgentLost(host, System.nanoTime(), out));
    }

    /**
     * A process has ended, which is proven. All members of a running world are told: of its departure if it had said
     * goodbye, else of its death. Before the world runs, the end of a process closes the world, unless the job has
     * restarts ({@link RunSpec}).
     *
     * @param reason in plain words: "killed by signal 9"
     */
    public void ended(ProcessId process, String reason) {
        requireStatic(process);
        command(new Ended(process, reason));
    }

    /**
     * Does once, to no effect, the work that a death in a running world causes. Classes and code that were never used
     * before cost milliseconds, for which the survivors of the first death would wait.
     */
    public void rehearseDeath() {
        command(new Rehearsed());
    }

    /** No lambda: making the first lambda of its shape takes a millisecond, and the survivors wait for this command. */
    private final class Ended implements Command {
        private final ProcessId process;
        private final String reason;

        Ended(ProcessId process, String reason) {
            this.process = process;
            this.reason = reason;
        }

        @Override
        public void run(Outbox<Long, RendezvousMessage> out) {
            // The process may have said goodbye in a message that is still in the socket.
            connections.readWhatIsThere(core.nonceOf(process));
            core.onEnded(process, reason, System.nanoTime(), out);
        }
    }

    private final class Rehearsed implements Command {
        @Override
        public void run(Outbox<Long, RendezvousMessage> out) {
            // No process bears this name: in an elastic world slots beyond the most members are given in time.
            Ended absent = new Ended(Joiner.NAMELESS, "rehearsed");
            connections.readWhatIsThere(core.nonceOf(absent.process));
            RendezvousCodec.encode(new RendezvousMessage.Death(absent.process, absent.reason));
        }
    }

    /**
     * Reads the messages that a process had sent before its proven end, its goodbye above all. Then runs an action on
     * the server's thread, after the listener was told of those messages.
     */
    public void hearOut(ProcessId process, Runnable then) {
        requireStatic(process);
        command(out -> {
            connections.readWhatIsThere(core.nonceOf(process));
            afterThat(then);
        });
    }

    /** As {@link #hearOut(ProcessId, Runnable)}, of a process of an elastic world, or of one that never joined. */
    public void hearOut(long nonce, Runnable then) {
        command(out -> {
            connections.readWhatIsThere(nonce);
            afterThat(then);
        });
    }

    /**
     * Carries out words of the launcher about a process of an elastic world, which the launcher knows by its nonce. The
     * words are said of the name that the process has when they are carried out: names change while words are on their
     * way. Nothing is said of a process that never joined, or whose end was told; what must be done all the same goes
     * by {@link #hearOut(long, Runnable)}.
     *
     * @param words called on the server's thread, also where nothing will be said
     */
    public void about(long nonce, Consumer<WordsAboutOne> words) {
        command(out -> {
            connections.readWhatIsThere(nonce);
            words.accept(new WordsAboutOne(core, nonce, System.nanoTime(), out));
        });
    }

    /** Runs an action once the listener has heard of all steps so far. */
    private void afterThat(Runnable then) {
        if (held == null) {
            then.run();
        } else {
            held.hold(then);
        }
    }

    /** The image that the {@link StateKeeper} was given last is stored. */
    public void stored() {
        command(out -> {
            held.stored();
            lastStored = held.lastStored();
        });
    }

    /**
     * Whether members can find this server, which goes on from the state of another one. Until that is said they
     * cannot, and no member counts as late or silent that has not found it yet.
     */
    public void findable(boolean isFindable) {
        command(out -> {
            if (isFindable) {
                core.onShown(System.nanoTime(), out);
            } else {
                core.onHidden();
            }
        });
    }

    /**
     * Runs an action on the server's thread once all that the server was told before is stored; without an elected
     * coordinator at once. C9: the launcher starts a process so, which it has allowed before.
     */
    public void onceStored(Runnable then) {
        command(out -> afterThat(then));
    }

    /**
     * The last state of which is known that it is stored and that the listener has heard of all that is in it; null if
     * it has heard nothing. To be asked after {@link #awaitEnd}.
     */
    public byte[] lastStored() {
        return lastStored;
    }

    /**
     * Tells the listener what differs between an earlier state and the present one, for a launcher that has the office
     * again: what happened in other terms. To be called before {@link #start}.
     *
     * @param former the state of which the listener has heard: what {@link #lastStored} said of the server before; null
     *     if it has heard nothing
     */
    public void tellSince(byte[] former) {
        lastStored = former;
        command(out -> {
            core.tellSince(former);
            held.hold(() -> lastStored = held.lastStored());
        });
    }

    /**
     * Tells which processes have joined and are not known to have ended, once all that the server was told before is
     * stored.
     *
     * @param then called on the server's thread
     */
    public void living(Consumer<List<MemberRecord>> then) {
        command(out -> {
            List<MemberRecord> living = core.living();
            afterThat(() -> then.accept(living));
        });
    }

    /**
     * Tells whether the job is over: processes have joined, and each has ended, has said goodbye or takes no part.
     *
     * @param then called on the server's thread, once all that the server was told before is stored
     */
    public void isOver(Consumer<Boolean> then) {
        command(out -> {
            boolean isOver = core.isOver();
            afterThat(() -> then.accept(isOver));
        });
    }

    /** Lets the server's thread do nothing for a time: a fault for tests. */
    public void pause(long durationNs) {
        command(out -> {
            long untilNs = System.nanoTime() + durationNs;
            while (!closing && untilNs - System.nanoTime() > 0) {
                LockSupport.parkNanos(Math.min(PAUSE_STEP_NS, untilNs - System.nanoTime()));
            }
        });
    }

    /** As {@link #ended}, for a process whose goodbye is known from elsewhere. */
    public void departed(ProcessId process) {
        requireStatic(process);
        command(out -> core.onDeparted(process, System.nanoTime(), out));
    }

    /**
     * The next process of a slot is about to be started, and may join; the one before has ended, or is about to.
     * Without this call, a process of a later incarnation is refused.
     */
    public void allowRestart(ProcessId next) {
        requireSlot(next.slot());
        command(out -> core.onRestartAllowed(next));
    }

    /** Gives a spare a place: it joins as the next process of that slot, which needs no {@link #allowRestart}. */
    public void assign(int spare, ProcessId next) {
        requireSlot(next.slot());
        command(out -> core.onAssign(spare, next, System.nanoTime(), out));
    }

    /** The process of a spare has ended before the spare was given a place. */
    public void spareEnded(int spare) {
        command(out -> core.onSpareEnded(spare, System.nanoTime(), out));
    }

    /**
     * Tells all members that no other process of this slot will be started. A world that is not yet complete, and lacks
     * this slot, is closed.
     *
     * @param why in plain words: "3 of 3 restarts are used up"
     */
    public void noMore(int slot, String why) {
        requireSlot(slot);
        command(out -> core.onNoMore(slot, why, System.nanoTime(), out));
    }

    private void requireStatic(ProcessId process) {
        if (run.isElastic()) {
            throw new IllegalStateException(
                    "process " + process + " of a world that gives names itself: say it by nonce, with about");
        }
    }

    private void requireSlot(int slot) {
        if (run.isElastic()) {
            throw new IllegalStateException(
                    "slot " + slot + " of a world that gives slots itself: the launcher starts no process for a slot");
        }
        if (slot < 0 || slot >= run.size()) {
            throw new IllegalArgumentException("slot " + slot + " of a job of " + run.size() + " ranks");
        }
    }

    /** Tells a process to end itself. A process without a connection is told when it connects again. */
    public void fence(ProcessId process, String reason) {
        requireStatic(process);
        command(out -> core.onFence(process, reason, out));
    }

    /** Tells all processes that the job ends with this code. Processes that join later are told too. */
    public void abort(int code, String reason) {
        command(out -> core.onAbort(code, reason, out));
    }

    /** Tells a process of a running world that the launcher got a signal for it. */
    public void signal(ProcessId process, String name) {
        requireStatic(process);
        command(out -> core.onSignal(process, name, out));
    }

    /** Asks a process of a running world whom it waits for; the answer comes to {@link ServerListener#onWaits}. */
    public void askWaits(ProcessId process, long request) {
        requireStatic(process);
        command(out -> core.onAskWaits(process, request, out));
    }

    /**
     * The state of a process, as the system shows it. The launcher tells it while the process is still
     * ({@code SilenceJudge.isStill}), once more when it is not still any longer, and, for a process that is to be
     * killed, until it has ended.
     *
     * @param state its letter in {@code /proc/PID/stat}
     * @param isKillPending whether SIGKILL waits for it
     */
    public void looked(ProcessId process, char state, boolean isKillPending) {
        requireStatic(process);
        command(out -> core.onLooked(process, state, isKillPending, System.nanoTime(), out));
    }

    /** As {@link #looked}, for a spare. */
    public void spareLooked(int spare, char state, boolean isKillPending) {
        command(out -> core.onSpareLooked(spare, state, isKillPending, System.nanoTime(), out));
    }

    /**
     * No process is judged for a silence until {@link #restartJudging}: the launcher is about to stop its processes.
     */
    public void suspendJudging() {
        command(out -> core.onSuspended());
    }

    /** The processes were continued: each silence is counted from now on. */
    public void restartJudging() {
        command(out -> core.onRestarted(System.nanoTime(), out));
    }

    /** Ends the last call of an elastic world: all processes that the launcher has started have joined. */
    public void endLastCall() {
        command(out -> core.onAllStartedJoined(System.nanoTime(), out));
    }

    /** Closes the rendezvous: every process that has joined, or that joins later, is told so. */
    public void closeRendezvous(String why) {
        command(out -> core.onClose(why, out));
    }

    private void command(Command command) {
        commands.add(command);
        selector.wakeup();
    }

    /** Ends the thread and cuts all connections. */
    @Override
    public void close() {
        closing = true;
        selector.wakeup();
        if (!thread.isAlive()) {
            closeSockets();
        }
    }

    /** Waits for the end of the thread after {@link #close}, so long at most: a last step may be under way. */
    public void awaitEnd(long mostNs) {
        long untilNs = System.nanoTime() + mostNs;
        while (thread.isAlive() && System.nanoTime() - untilNs < 0) {
            LockSupport.parkNanos(END_STEP_NS);
        }
    }

    private void loop() {
        try {
            boolean isLocal = host.equals(LOOPBACK_TEXT);
            if (protection == Protection.AEAD || protection == Protection.AUTO && !isLocal) {
                // Before a process calls, since the first starts meanwhile.
                RecordChannel.prepare();
            }
            while (!closing) {
                waitForInput();
                if (held != null && !hasOffice()) {
                    break;
                }
                lookWhetherHeld();
                runCommands();
                handleKeys();
                connections.hearLastWords();
                connections.dropStrangers(System.nanoTime());
                core.onTick(System.nanoTime(), steps);
                if (held != null) {
                    held.settle();
                }
                lookWhetherHeld();
            }
        } catch (Throwable e) {
            listener.onBroken(e);
        } finally {
            closeSockets();
        }
    }

    /**
     * Whether this process has the office, for certain. After a standstill, or while etcd is away, another process may
     * have it: that is waited for, and nothing is read or done meanwhile. What comes is in the sockets, and is lost
     * with them if the office is.
     *
     * @return false once the office is lost: no step is taken any more, not even for what is stored
     */
    private boolean hasOffice() {
        while (!closing && !office.isHeld(System.nanoTime())) {
            tellCore(muteness.stoodStill());
            LockSupport.parkNanos(PAUSE_STEP_NS);
        }
        return !closing;
    }

    /** Looks before a step too, whose deadline may have come while this server held back what would have met it. */
    private void lookWhetherHeld() {
        if (held != null) {
            tellCore(muteness.look(held.isHolding(), System.nanoTime()));
        }
    }

    /** What this server has held back cannot have been answered, and no silence is counted meanwhile. */
    private void tellCore(Muteness.Change change) {
        if (change == Muteness.Change.BEGINS) {
            core.onMuted();
        } else if (change == Muteness.Change.ENDS) {
            core.onUnmuted(System.nanoTime(), steps);
        }
    }

    private void waitForInput() throws IOException {
        long untilNs = core.nextDeadlineNs();
        long strangerNs = connections.nextDeadlineNs();
        if (strangerNs != Long.MAX_VALUE) {
            untilNs = Math.min(untilNs, strangerNs);
        }
        if (untilNs == Long.MAX_VALUE) {
            selector.select();
        } else {
            long waitNs = untilNs - System.nanoTime();
            if (waitNs <= 0) {
                selector.selectNow();
            } else {
                // The time is rounded up, so that the deadline has passed when the select call returns.
                selector.select(waitNs / 1_000_000 + 1);
            }
        }
    }

    private void runCommands() {
        for (Command command = commands.poll(); command != null; command = commands.poll()) {
            command.run(steps);
        }
    }

    private void handleKeys() throws IOException {
        Iterator<SelectionKey> keys = selector.selectedKeys().iterator();
        while (keys.hasNext()) {
            SelectionKey key = keys.next();
            keys.remove();
            if (!key.isValid()) {
                continue;
            }
            if (key.isAcceptable()) {
                connections.accept(maker);
            } else {
                connections.handle((ServerConnection) key.attachment(), key);
            }
        }
    }

    private void closeSockets() {
        if (!selector.isOpen()) {
            return;
        }
        try {
            for (SelectionKey key : selector.keys()) {
                key.channel().close();
            }
            selector.close();
        } catch (IOException closingAnyway) {
            // The selector and the channels are not used any more.
        }
    }
}
