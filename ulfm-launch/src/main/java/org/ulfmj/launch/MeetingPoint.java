package org.ulfmj.launch;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.Consumer;
import org.ulfmj.launch.agent.CoreWaitsElsewhere;
import org.ulfmj.launch.command.ElasticJob;
import org.ulfmj.launch.event.JobEvent;
import org.ulfmj.launch.office.LauncherOffice;
import org.ulfmj.launch.process.RankProcess;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.protocol.WireFormatException;
import org.ulfmj.rendezvous.RunSpec;
import org.ulfmj.rendezvous.ServerListener;
import org.ulfmj.rendezvous.message.OutReason;
import org.ulfmj.rendezvous.message.RendezvousMessage;
import org.ulfmj.rendezvous.rounds.Joiner;
import org.ulfmj.rendezvous.rounds.WorldSize;
import org.ulfmj.rendezvous.server.RendezvousServer;
import org.ulfmj.rendezvous.server.WordsAboutOne;
import org.ulfmj.runtime.office.FinalizeNotes;
import org.ulfmj.runtime.options.HostPlace;
import org.ulfmj.runtime.options.Options;
import org.ulfmj.runtime.waits.WaitReport;
import org.ulfmj.runtime.waits.WaitReportCodec;
import org.ulfmj.transport.MemberRecord;
import org.ulfmj.transport.auth.JobSecret;
import org.ulfmj.transport.host.CoreWaits;
import org.ulfmj.transport.host.ProcessStat;

/**
 * The rendezvous as the launcher uses it: through it processes find each other and the launcher speaks to them. If the
 * coordinator is elected, the rendezvous may be in another process for a time. Most callbacks of the rendezvous become
 * events of the job.
 */
final class MeetingPoint implements ServerListener, AutoCloseable {
    private final Consumer<JobEvent> events;
    /** The server of the rendezvous in this launcher; null in a job whose coordinator is elected. */
    private final RendezvousServer ownServer;
    /** The launcher's part in the election of a coordinator; null if the launcher alone is the coordinator. */
    private final LauncherOffice office;

    private final boolean isFaultTolerant;
    /** Null in a static job. */
    private final Children children;

    /** The notes of finalized processes; null if {@link #read} was not called. */
    private volatile FinalizeNotes notes;

    private final CoreWaits coreWaits = new CoreWaits(Path.of(ProcessStat.PROC));
    /** Null before a process is placed on another host. */
    private volatile CoreWaitsElsewhere waitsElsewhere;

    /** The processes of other hosts. */
    private final Set<ProcessId> elsewhere = new ConcurrentSkipListSet<>();

    private volatile boolean isFormed;
    private volatile boolean isBroken;

    /** Of the launcher's main thread. */
    private boolean isLastCallEnded;

    /** How long a world that has enough processes to begin waits at most for further ones. */
    private static final long LAST_CALL_NS = 10_000_000_000L;

    private MeetingPoint(
            RunSpec run, boolean isFaultTolerant, JobSecret secret, String address, Consumer<JobEvent> events)
            throws IOException {
        this.events = events;
        this.isFaultTolerant = isFaultTolerant;
        this.children = run.elastic() == null ? null : new Children();
        this.ownServer = new RendezvousServer(run, secret, address, this);
        this.office = null;
    }

    private MeetingPoint(
            String rdzv, RunSpec run, Options options, JobSecret secret, String address, Consumer<JobEvent> events) {
        this.events = events;
        this.isFaultTolerant = true;
        this.children = run.elastic() == null ? null : new Children();
        this.ownServer = null;
        this.office = LauncherOffice.open(
                rdzv,
                run,
                secret,
                address,
                options.protection(),
                this,
                line -> events.accept(new JobEvent.HostNotice(line)));
    }

    /**
     * Opens the rendezvous of a job on one host whose coordinator is elected in etcd. Returns once this launcher is the
     * coordinator.
     *
     * @param rdzv URL of etcd
     * @param size the number of ranks of a static job
     * @param elastic null for a static job
     * @throws org.ulfmj.command.UsageException if there is such a job already, etcd does not answer, or this launcher
     *     does not become the coordinator in time
     */
    static MeetingPoint openElected(
            String rdzv,
            String runId,
            int size,
            ElasticJob elastic,
            Options options,
            JobSecret secret,
            Consumer<JobEvent> events) {
        RunSpec run = elastic == null
                ? new RunSpec(runId, size, options.hash(), options.joinTimeoutNs(), options.confirmTimeoutNs())
                : elasticRun(runId, elastic, options);
        return new MeetingPoint(rdzv, run.withSilence(silenceNs(options)), options, secret, HostPlace.LOOPBACK, events);
    }

    /**
     * Opens the rendezvous of a static job.
     *
     * @param leaseNs the lease of processes on other hosts; 0 if they have none
     * @param needsMajority whether a majority of the members may go on without the launcher
     * @param restarts whether a restarted process or a spare may take the place of a failed one
     * @param address the address, as a literal, on which the rendezvous listens
     * @throws IOException if no port is free
     */
    static MeetingPoint open(
            String runId,
            int size,
            Options options,
            long leaseNs,
            boolean needsMajority,
            boolean restarts,
            JobSecret secret,
            String address,
            Consumer<JobEvent> events)
            throws IOException {
        RunSpec run = new RunSpec(runId, size, options.hash(), options.joinTimeoutNs(), options.confirmTimeoutNs())
                .withRestarts(restarts)
                .withSilence(silenceNs(options))
                .withLease(leaseNs)
                .withMajority(needsMajority);
        return open(run, options, secret, address, events);
    }

    /** Opens the rendezvous of an elastic job, as the other method does for a static one. */
    static MeetingPoint open(
            String runId,
            ElasticJob elastic,
            Options options,
            long leaseNs,
            JobSecret secret,
            String address,
            Consumer<JobEvent> events)
            throws IOException {
        RunSpec run = elasticRun(runId, elastic, options)
                .withSilence(silenceNs(options))
                .withLease(leaseNs);
        return open(run, options, secret, address, events);
    }

    private static RunSpec elasticRun(String runId, ElasticJob elastic, Options options) {
        WorldSize world = new WorldSize(elastic.min(), elastic.max(), LAST_CALL_NS);
        return new RunSpec(runId, world, options.hash(), options.joinTimeoutNs(), options.confirmTimeoutNs());
    }

    private static long silenceNs(Options options) {
        return options.isFaultTolerant() ? options.timing().detectorTimeoutNs() : 0;
    }

    private static MeetingPoint open(
            RunSpec run, Options options, JobSecret secret, String address, Consumer<JobEvent> events)
            throws IOException {
        MeetingPoint point = new MeetingPoint(run, options.isFaultTolerant(), secret, address, events);
        point.ownServer.protect(options.protection());
        point.ownServer.start();
        return point;
    }

    /** Returns this launcher's server of the rendezvous; in an election, that of its present or last term. */
    RendezvousServer server() {
        return office == null ? ownServer : office.server();
    }

    /**
     * Sets the notes of processes that have finalized: from now on a process that ends and has left such a note counts
     * as one that has said goodbye.
     */
    void read(FinalizeNotes ofProcesses) {
        notes = ofProcesses;
    }

    /** Returns when {@link #tick} is due; {@link Long#MAX_VALUE} for never. */
    long deadlineNs() {
        return office == null ? Long.MAX_VALUE : office.deadlineNs();
    }

    /**
     * If the coordinator is elected: stops waiting for confirmations that all messages of ended processes are stored,
     * once that has lasted too long.
     */
    void tick(long nowNs) {
        if (office != null) {
            office.tick(nowNs);
        }
    }

    /** Ends the job for all its processes, with this exit code. */
    void abort(int code, String reason) {
        if (office == null) {
            ownServer.abort(code, reason);
        } else {
            office.say(server -> server.abort(code, reason));
        }
    }

    /**
     * Tells the rendezvous that a process is about to be started on another host.
     *
     * @param process the child, if the job is elastic
     */
    void placed(ProcessId process, int host) {
        isElsewhere(process);
        server().placed(children == null ? process : ProcessId.of(Children.told(process)), judged(host));
    }

    /** As {@link #placed}, for a spare. */
    void sparePlaced(int number, int host) {
        server().sparePlaced(number, judged(host));
    }

    /** Tells the judge of silences that the agent of another host was heard. Any thread. */
    void agentHeard(int host) {
        server().agentHeard(judged(host));
    }

    /** Passes on the agent's answer how long a process on another host waited for a core. Any thread. */
    void coreWaited(ProcessId process, long question, long waitedNs) {
        waitsElsewhere.told(process, question, waitedNs);
    }

    /** Tells the judge of silences that the connection to the agent of another host was lost. Any thread. */
    void agentLost(int host) {
        server().agentLost(judged(host));
    }

    /**
     * Returns the number by which the judge of silences knows a host of the job. For the judge 0 is the launcher's own
     * host, which may be any host of the job, or none.
     */
    private static int judged(int host) {
        return host + 1;
    }

    /** Notes that a spare on another host got a place. */
    void assignedElsewhere(ProcessId process) {
        isElsewhere(process);
    }

    /**
     * Notes that the process is on another host. Called on the launcher's main thread, before the judge of silences
     * knows the process.
     */
    private void isElsewhere(ProcessId process) {
        if (waitsElsewhere == null) {
            waitsElsewhere = new CoreWaitsElsewhere(events);
        }
        elsewhere.add(process);
    }

    /** Whether the world runs. */
    boolean isFormed() {
        return isFormed;
    }

    /**
     * Tells the rendezvous that a process has ended for certain; of a child of an elastic job that has not joined, only
     * once it has. Any thread.
     */
    void ended(ProcessId process, String reason) {
        if (children != null) {
            for (long nonce : children.ended(process, reason)) {
                tellEnd(nonce, reason);
            }
        } else if (office != null) {
            office.say(server -> server.ended(process, reason));
        } else {
            ownServer.ended(process, reason);
        }
    }

    private void tellEnd(long nonce, String reason) {
        say(nonce, one -> {
            if (notes != null && notes.has(nonce)) {
                one.endedFinalized(reason);
            } else {
                one.ended(reason);
            }
        });
    }

    /**
     * Tells the rendezvous something about a process of an elastic job. If the coordinator is elected, it is told to
     * each later coordinator too.
     */
    private void say(long nonce, Consumer<WordsAboutOne> words) {
        if (office == null) {
            ownServer.about(nonce, words);
        } else {
            office.say(server -> server.about(nonce, words));
        }
    }

    /** As the other method, about the process as which a child has joined last; does nothing before it has joined. */
    private void say(ProcessId child, Consumer<WordsAboutOne> words) {
        List<Long> nonces = children.nonces(child);
        if (!nonces.isEmpty()) {
            say(nonces.get(nonces.size() - 1), words);
        }
    }

    /**
     * Tells the present server something about the process as which a child of an elastic job has joined last; does
     * nothing before it has joined.
     */
    private void about(ProcessId child, Consumer<WordsAboutOne> words) {
        List<Long> nonces = children.nonces(child);
        if (!nonces.isEmpty()) {
            server().about(nonces.get(nonces.size() - 1), words);
        }
    }

    /**
     * Tells the rendezvous that all processes which this launcher has started for an elastic job have joined, or will
     * not join any more, so that the world may begin.
     */
    void endLastCall() {
        if (office != null && !isLastCallEnded) {
            // An elected coordinator that takes over begins the wait for further processes anew, so this is told to
            // each one.
            isLastCallEnded = true;
            office.say(RendezvousServer::endLastCall);
        } else {
            server().endLastCall();
        }
    }

    /** Tells the rendezvous that a process has said goodbye, if that is known from elsewhere. */
    void departed(ProcessId process) {
        if (children != null) {
            say(process, WordsAboutOne::departed);
        } else if (office != null) {
            office.say(server -> server.departed(process));
        } else {
            ownServer.departed(process);
        }
    }

    /** Tells a process to end itself. */
    void fence(ProcessId process, String reason) {
        if (children != null) {
            say(process, one -> one.fence(reason));
        } else if (office != null) {
            office.say(server -> server.fence(process, reason));
        } else {
            ownServer.fence(process, reason);
        }
    }

    /** Tells a process that the launcher got this signal, which is meant for the process. */
    void signal(ProcessId process, String name) {
        if (children == null) {
            server().signal(process, name);
        } else {
            about(process, one -> one.signal(name));
        }
    }

    /** Asks a process whom it waits for. */
    void askWaits(ProcessId process, long request) {
        if (children == null) {
            server().askWaits(process, request);
        } else {
            about(process, one -> one.askWaits(request));
        }
    }

    /**
     * Tells the rendezvous that the end of a process is now proven; the process had counted as ended before. Any
     * thread.
     */
    void proven(ProcessId process) {
        if (children == null) {
            server().proven(process);
        } else {
            for (long nonce : children.nonces(process)) {
                server().about(nonce, WordsAboutOne::proven);
            }
        }
    }

    /**
     * Has an event about the end of a process put into the queue behind the events of all messages of the process that
     * have reached the rendezvous; if the rendezvous is broken, puts the event in at once.
     */
    void hearOut(ProcessId process, int exitCode) {
        hearOut(process, new JobEvent.HeardOut(process, exitCode));
    }

    /** As {@link #hearOut}, for a process that is dead and not reaped yet. */
    void hearDeath(ProcessId process, int exitCode) {
        hearOut(process, new JobEvent.DeathHeard(process, exitCode));
    }

    private void hearOut(ProcessId process, JobEvent heardOut) {
        if (isBroken) {
            events.accept(heardOut);
        } else if (children != null && office != null) {
            office.hearOut(() -> lastNonce(process), () -> events.accept(heardOut));
        } else if (office != null) {
            office.hearOut(process, () -> events.accept(heardOut));
        } else if (children == null) {
            ownServer.hearOut(process, () -> events.accept(heardOut));
        } else {
            ownServer.hearOut(lastNonce(process), () -> events.accept(heardOut));
        }
    }

    /** Returns the nonce of the process as which a child has joined last; 0 before it has joined. */
    private long lastNonce(ProcessId child) {
        List<Long> nonces = children.nonces(child);
        return nonces.isEmpty() ? 0 : nonces.get(nonces.size() - 1);
    }

    /**
     * Writes into etcd, in a job whose coordinator is elected, what other launchers need to let their processes join.
     *
     * @throws org.ulfmj.command.UsageException if etcd does not take it
     */
    void tellPlace(String place) {
        office.tellPlace(place.getBytes(StandardCharsets.UTF_8));
    }

    /** Passes the state of a process, or of a spare, on to the judge of silences. */
    void looked(RankProcess process, char state, boolean isKillPending) {
        ProcessId id = process.id();
        if (id == null) {
            server().spareLooked(process.spare(), state, isKillPending);
        } else if (children != null) {
            about(id, one -> one.looked(state, isKillPending));
        } else {
            server().looked(id, state, isKillPending);
        }
    }

    @Override
    public void close() {
        if (office == null) {
            ownServer.close();
        } else {
            office.close();
        }
    }

    /** Returns the launcher's key of a process: in an elastic job its child, else its name. */
    private ProcessId keyOf(ProcessId name) {
        return children == null ? name : children.of(name);
    }

    @Override
    public void onArrived(Joiner joiner) {
        String end = children.arrived(joiner);
        events.accept(
                new JobEvent.Arrived(Children.childOf(joiner), joiner.member().process()));
        if (end != null) {
            tellEnd(joiner.nonce(), end);
        }
    }

    @Override
    public void onNamed(MemberRecord former) {
        children.named(List.of(former));
    }

    @Override
    public void onBegun(List<MemberRecord> members) {
        children.named(members);
        events.accept(new JobEvent.MembersAre(null, 0, slots(members)));
    }

    /** Returns the slot of each member of an elastic world, by child. */
    private SortedMap<ProcessId, Integer> slots(List<MemberRecord> members) {
        SortedMap<ProcessId, Integer> slots = new TreeMap<>();
        for (MemberRecord member : members) {
            slots.put(children.of(member.nonce()), member.id().slot());
        }
        return slots;
    }

    @Override
    public void onJoined(ProcessId process) {
        events.accept(new JobEvent.Joined(keyOf(process)));
    }

    @Override
    public void onPending(ProcessId newcomer) {
        events.accept(new JobEvent.Joined(keyOf(newcomer)));
    }

    @Override
    public void onSpare(int number) {
        events.accept(new JobEvent.SpareReady(number));
    }

    @Override
    public void onCommitted(ProcessId from, int epoch, List<MemberRecord> members) {
        if (children != null) {
            children.named(members);
            events.accept(new JobEvent.MembersAre(children.of(from), epoch, slots(members)));
            return;
        }
        SortedMap<Integer, Integer> incarnations = new TreeMap<>();
        for (MemberRecord member : members) {
            incarnations.put(member.id().slot(), member.id().incarnation());
        }
        events.accept(new JobEvent.Committed(from, epoch, incarnations));
    }

    @Override
    public void onWorldGone() {
        isFormed = false;
        events.accept(new JobEvent.WorldGone());
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
            ProcessId key = children == null ? ProcessId.of(slot) : children.find(ProcessId.of(slot));
            if (key != null) {
                slots.add(key.slot());
            }
        }
        events.accept(new JobEvent.Finalized(keyOf(process), slots));
    }

    @Override
    public boolean onLeave(ProcessId process, String why) {
        events.accept(new JobEvent.Left(keyOf(process), why));
        return isFaultTolerant;
    }

    @Override
    public void onReached(ProcessId process, int rule) {
        events.accept(new JobEvent.Reached(keyOf(process), rule));
    }

    @Override
    public void onSuspect(ProcessId from, ProcessId about) {
        events.accept(new JobEvent.Suspected(keyOf(from), keyOf(about)));
    }

    @Override
    public void onSilent(ProcessId process, String reason) {
        events.accept(new JobEvent.Silent(keyOf(process), reason));
    }

    @Override
    public void onSilent(ProcessId process, long nonce, String reason) {
        events.accept(new JobEvent.Silent(children == null ? process : children.of(nonce), reason));
    }

    @Override
    public long waitedForCoreNs(ProcessId process, long pid) {
        ProcessId key = keyOf(process);
        return elsewhere.contains(key) ? waitsElsewhere.sinceLast(key, pid) : coreWaits.sinceLast(key, pid);
    }

    @Override
    public boolean isCoreWaitKnown(ProcessId process) {
        ProcessId key = keyOf(process);
        return !elsewhere.contains(key) || waitsElsewhere.isKnown(key);
    }

    @Override
    public void onGivenUp(ProcessId process, String reason) {
        events.accept(new JobEvent.GivenUp(keyOf(process), reason));
    }

    @Override
    public void onHostEnds(int host) {
        events.accept(new JobEvent.HostCutOff(host - 1));
    }

    @Override
    public void onLost(int host, List<ProcessId> processes, String reason) {
        List<ProcessId> keys = new ArrayList<>();
        for (ProcessId process : processes) {
            keys.add(keyOf(process));
        }
        events.accept(new JobEvent.HostLost(host - 1, keys));
    }

    @Override
    public void onMinority(int reached, int members) {
        events.accept(new JobEvent.Minority(reached, members));
    }

    @Override
    public void onLeaseOver(ProcessId process, String reason) {
        events.accept(new JobEvent.LeaseOver(keyOf(process)));
    }

    @Override
    public void onSpareSilent(int number, String reason) {
        events.accept(new JobEvent.SpareSilent(number, reason));
    }

    @Override
    public void onSpareGivenUp(int number, String reason) {
        events.accept(new JobEvent.SpareGivenUp(number, reason));
    }

    @Override
    public void onFenced(ProcessId process, String reason) {
        events.accept(new JobEvent.Fenced(keyOf(process), reason));
    }

    @Override
    public void onAbort(ProcessId by, int code, String reason) {
        events.accept(new JobEvent.Aborted(keyOf(by), code, reason));
    }

    @Override
    public void onWaits(ProcessId process, long request, byte[] report) {
        if (request == RendezvousMessage.Waits.UNASKED) {
            events.accept(new JobEvent.FellSilent(keyOf(process)));
            return;
        }
        WaitReport decoded;
        try {
            decoded = WaitReportCodec.decode(report);
        } catch (WireFormatException e) {
            // The malformed report is dropped, and the page then says that the process did not answer.
            return;
        }
        if (decoded.process().equals(process)) {
            events.accept(new JobEvent.WaitsTold(keyOf(process), request, decoded));
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
