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
 * The {@link RendezvousCore} on sockets, inside the launcher or an elected coordinator: one daemon thread, non-blocking
 * channels, and no message is read on a connection before its other end has proved that it knows the job's secret.
 *
 * <p>Threads: everything public may be called by any thread, also by the listener, and returns at once, except
 * {@link #awaitEnd}.
 */
public final class RendezvousServer implements AutoCloseable {
    private static final int BACKLOG = 1024;
    private static final long PAUSE_STEP_NS = 10_000_000;
    private static final long END_STEP_NS = 100_000;
    private static final byte[] LOOPBACK = {127, 0, 0, 1};
    private static final String LOOPBACK_TEXT = "127.0.0.1";

    /**
     * The largest number of processes that may ever have joined an elastic job whose state is stored: each takes about
     * 400 bytes of 1.4 MB.
     */
    private static final int MOST_JOINED = 3_000;

    /** An action that a public method hands to the server's thread. */
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

    /** Not a lambda: making the first lambda takes time, and the launcher has started no process yet. */
    private final Outbox<Long, RendezvousMessage> outbox = new Outbox<>() {
        @Override
        public void send(Long nonce, RendezvousMessage message) {
            connections.send(nonce, message);
        }
    };

    /**
     * C5: holds the outputs of the core until its state is stored; null in a job whose only coordinator is the
     * launcher.
     */
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

    /** Takes the messages of the connections. Not a lambda, for the same reason as the outbox above. */
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
     * @param host literal address at which the server listens for processes
     */
    public RendezvousServer(RunSpec run, JobSecret secret, String host, ServerListener listener) throws IOException {
        this(run, secret, host, listener, null);
    }

    /**
     * Binds a free port, for a coordinator that was elected. The server sends no message and calls no listener for a
     * step before the state after that step is stored in etcd ({@link #stored}).
     *
     * @param run what {@link RendezvousCore#runOf} reads from the stored image, if there is an image
     * @param elected null in a job whose only coordinator is the launcher
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
        // The loopback address is given as four bytes: a host name would load the resolver.
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
     * Fails early if no connection can be made over the loopback interface: a port can be bound even then, and ranks
     * would dial in vain until their timeout.
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
     * Tells the server on which host a process is about to be started; the agent of that host ends the process if it
     * must end. Without this call the process counts as one of the launcher's own host, which has the index 0.
     *
     * @param process in an elastic world a name whose slot is the number with which the process will join
     */
    public void placed(ProcessId process, int host) {
        command(out -> core.onPlaced(process, host));
    }

    /**
     * Tells the server on which host a spare is about to be started. The slot that {@link #assign} gives the spare
     * later is then on that host.
     */
    public void sparePlaced(int spare, int host) {
        command(out -> core.onSparePlaced(spare, host));
    }

    /**
     * J4: the agent of a host was heard: a message of it came, or its line is back, or a new agent has connected. To be
     * called at least four times per {@link RunSpec#silenceNs}.
     */
    public void agentHeard(int host) {
        command(out -> core.onAgentHeard(host, System.nanoTime(), out));
    }

    /**
     * A process of a lost host that the server took for ended, because the process's lease had run out, is now proven
     * to have ended.
     */
    public void proven(ProcessId process) {
        requireStatic(process);
        command(out -> core.onProven(process, System.nanoTime(), out));
    }

    /** J4: the line to the agent of a host was lost. No process of that host can be ended until {@link #agentHeard}. */
    public void agentLost(int host) {
        command(out -> core.onAgentLost(host, System.nanoTime(), out));
    }

    /**
     * A process has ended, which is proven. All members of a running world are told, unless they never heard of it or
     * were told that it left: of its departure if it had said goodbye, else of its death. Before a static world runs,
     * the end of a process closes the gathering once any process has joined, unless another process of its slot may
     * come.
     *
     * @param reason in plain words: "killed by signal 9"
     */
    public void ended(ProcessId process, String reason) {
        requireStatic(process);
        command(new Ended(process, reason));
    }

    /**
     * Runs once, without any effect, a part of the code that runs when a process of a running world has died. Classes
     * and code that were never used before cost milliseconds, for which the survivors of the first death would wait.
     */
    public void rehearseDeath() {
        command(new Rehearsed());
    }

    /**
     * This command is a class and not a lambda: the first lambda of its shape takes a millisecond to make, and the
     * survivors wait for this command.
     */
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
            // The rehearsal needs a name that no process ever bears: in an elastic world even slots beyond the greatest
            // size of the world are given out in time.
            Ended absent = new Ended(Joiner.NAMELESS, "rehearsed");
            connections.readWhatIsThere(core.nonceOf(absent.process));
            RendezvousCodec.encode(new RendezvousMessage.Death(absent.process, absent.reason));
        }
    }

    /**
     * Reads the messages that a process had sent before its proven end, its goodbye above all. Then runs an action on
     * the server's thread, after the listener was told of those messages (with an elected coordinator: once they are
     * stored).
     */
    public void hearOut(ProcessId process, Runnable then) {
        requireStatic(process);
        command(out -> {
            connections.readWhatIsThere(core.nonceOf(process));
            afterThat(then);
        });
    }

    /**
     * As {@link #hearOut(ProcessId, Runnable)}, for a process that is known by its nonce, as in an elastic world. The
     * action runs also if the process never joined.
     */
    public void hearOut(long nonce, Runnable then) {
        command(out -> {
            connections.readWhatIsThere(nonce);
            afterThat(then);
        });
    }

    /**
     * Carries out what the owner of this server has to say about a process that it knows by its nonce. Each statement
     * concerns the name that the process has when the statement is carried out, since in an elastic world names can
     * change between the call and that moment. A process that never joined, or whose end was told, has no name, and
     * most statements have no effect for it; an action that must run all the same is given to {@link #hearOut(long,
     * Runnable)}.
     *
     * @param words called on the server's thread in every case
     */
    public void about(long nonce, Consumer<WordsAboutOne> words) {
        command(out -> {
            connections.readWhatIsThere(nonce);
            words.accept(new WordsAboutOne(core, nonce, System.nanoTime(), out));
        });
    }

    /** Runs an action once the listener was told of all steps that the server has taken so far. */
    private void afterThat(Runnable then) {
        if (held == null) {
            then.run();
        } else {
            held.hold(then);
        }
    }

    /** Tells the server that the image which the {@link StateKeeper} was given last is now stored. */
    public void stored() {
        command(out -> {
            held.stored();
            lastStored = held.lastStored();
        });
    }

    /**
     * Tells this server, which continues from the stored state of another one, whether members can find it. Before that
     * is said members cannot find it, and no member that has not found it yet counts as late or silent.
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
     * coordinator at once. C9: the launcher starts a process in such an action, once the permission for that start is
     * stored.
     */
    public void onceStored(Runnable then) {
        command(out -> afterThat(then));
    }

    /**
     * The last state that is known to be stored and whose contents the listener was told completely; null if the
     * listener was told nothing. To be asked after {@link #awaitEnd}.
     */
    public byte[] lastStored() {
        return lastStored;
    }

    /**
     * Tells the listener what differs between an earlier state and the present one, apart from ends of processes. A
     * launcher that is elected again learns so what happened while other processes were coordinator. To be called
     * before {@link #start}.
     *
     * @param former the state of which the listener was told: what {@link #lastStored} of the launcher's server before
     *     this one returned; null if the listener was told nothing
     */
    public void tellSince(byte[] former) {
        lastStored = former;
        command(out -> {
            core.tellSince(former);
            held.hold(() -> lastStored = held.lastStored());
        });
    }

    /**
     * Tells which processes have joined and are not known to have ended. The answer comes once all that the server was
     * told before is stored.
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

    /**
     * Tells the server that a process has departed: it has ended, and its goodbye is known from another source than its
     * own message.
     */
    public void departed(ProcessId process) {
        requireStatic(process);
        command(out -> core.onDeparted(process, System.nanoTime(), out));
    }

    /**
     * The next process of a slot is about to be started, and may join; the process before it in this slot has ended, or
     * is about to. Without this call, a process of a later incarnation is refused.
     */
    public void allowRestart(ProcessId next) {
        requireSlot(next.slot());
        command(out -> core.onRestartAllowed(next));
    }

    /**
     * Gives a spare a place: the spare joins as this process, the next incarnation of the process's slot, without a
     * call of {@link #allowRestart}.
     */
    public void assign(int spare, ProcessId next) {
        requireSlot(next.slot());
        command(out -> core.onAssign(spare, next, System.nanoTime(), out));
    }

    /** The process of a spare has ended before the spare was given a place. */
    public void spareEnded(int spare) {
        command(out -> core.onSpareEnded(spare, System.nanoTime(), out));
    }

    /**
     * Tells all members of a running world that no other process of this slot will be started. A gathering is closed if
     * the last process of this slot has ended and any process has joined.
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

    /**
     * Tells a process that has joined to end itself. A member of a running world is told again when it joins again. Has
     * no effect on a process that has ended, was refused, or was told so before.
     */
    public void fence(ProcessId process, String reason) {
        requireStatic(process);
        command(out -> core.onFence(process, reason, out));
    }

    /**
     * Tells all processes that have joined, and have not ended or left early, and the spares that have called, that the
     * job ends with this code, unless the rendezvous is closed already. A process that joins later for the first time
     * is refused.
     */
    public void abort(int code, String reason) {
        command(out -> core.onAbort(code, reason, out));
    }

    /**
     * Tells a process of a running world that the launcher received this signal, which is meant for the process's
     * program.
     */
    public void signal(ProcessId process, String name) {
        requireStatic(process);
        command(out -> core.onSignal(process, name, out));
    }

    /**
     * Asks a process of a running world which ranks it waits for; the answer comes to {@link ServerListener#onWaits}.
     */
    public void askWaits(ProcessId process, long request) {
        requireStatic(process);
        command(out -> core.onAskWaits(process, request, out));
    }

    /**
     * The launcher looked up the state of a process in {@code /proc}. The launcher calls this at each look at which the
     * process cannot run ({@code SilenceJudge.isStill}), once more when it can run again, and, for a process that is to
     * be killed, at each look until it has ended.
     *
     * @param state its letter in {@code /proc/PID/stat}
     * @param isKillPending whether SIGKILL is pending for the process
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
     * The launcher is about to stop its processes: until {@link #restartJudging} no process is judged for its silence.
     */
    public void suspendJudging() {
        command(out -> core.onSuspended());
    }

    /** The processes were continued: each silence is counted from now on. */
    public void restartJudging() {
        command(out -> core.onRestarted(System.nanoTime(), out));
    }

    /**
     * Ends the last call of an elastic world, the time in which processes that were already started may still join: all
     * processes that the launcher has started have joined, or will not join any more.
     */
    public void endLastCall() {
        command(out -> core.onAllStartedJoined(System.nanoTime(), out));
    }

    /**
     * Closes the rendezvous, unless it is closed already: each process that has joined and has not ended or left early,
     * each spare that has called, and each process that joins later is told that it is closed and why.
     */
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

    /**
     * Waits for the end of the thread after {@link #close}, at most for this time: the thread may still be in its last
     * step.
     */
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
                // Done before the first process connects, while the launcher still starts that process.
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
     * Waits until it is certain whether this process holds the coordinator's office. After a standstill, or while etcd
     * does not answer, another process may hold it: meanwhile this server reads and sends nothing. Messages that arrive
     * stay in the sockets, and are lost with them if the office is lost.
     *
     * @return false once the server closes, as after a lost office: no step is taken any more, not even for state that
     *     is stored
     */
    private boolean hasOffice() {
        while (!closing && !office.isHeld(System.nanoTime())) {
            tellCore(muteness.stoodStill());
            LockSupport.parkNanos(PAUSE_STEP_NS);
        }
        return !closing;
    }

    /**
     * Called also before a step, since the deadline of a silence may have come while this server held back the message
     * that would have led to an answer.
     */
    private void lookWhetherHeld() {
        if (held != null) {
            tellCore(muteness.look(held.isHolding(), System.nanoTime()));
        }
    }

    /**
     * Messages that this server holds back cannot have been answered by members, so the core counts no silence in that
     * time.
     */
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
