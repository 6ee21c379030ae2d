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
 * The rendezvous inside the launcher, through which processes find each other and the launcher speaks to them. Each
 * callback of the rendezvous becomes an event of the job. Methods may be called by any thread and return at once.
 */
final class MeetingPoint implements ServerListener, AutoCloseable {
    private final Consumer<JobEvent> events;
    /** Null in a job whose coordinator is elected. */
    private final RendezvousServer ownServer;
    /** Null where the launcher alone is the coordinator. */
    private final LauncherOffice office;

    private final boolean isFaultTolerant;
    /** Null in a static job. */
    private final Children children;

    /** Null where no process that comes later could begin the program again. */
    private volatile FinalizeNotes notes;

    private final CoreWaits coreWaits = new CoreWaits(Path.of(ProcessStat.PROC));
    /** Null before a process has its place on another host. */
    private volatile CoreWaitsElsewhere waitsElsewhere;

    /** The processes of other hosts. */
    private final Set<ProcessId> elsewhere = new ConcurrentSkipListSet<>();

    private volatile boolean isFormed;
    private volatile boolean isBroken;

    /** Of the launcher's main thread. */
    private boolean isLastCallEnded;

    /** How long a world that has enough processes waits for others that this launcher has started. */
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
     * As the first one, of a job on one host whose coordinator is elected. Returns once this launcher is the
     * coordinator.
     *
     * @param rdzv URL of etcd
     * @param size of a static job
     * @param elastic null for a static job
     * @throws org.ulfmj.command.UsageException if there is such a job already, or etcd does not answer
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
     * @param leaseNs of processes on other hosts; 0 if they have none
     * @param needsMajority whether a majority of the members may go on without the launcher
     * @param restarts whether processes may be started again
     * @param address at which processes are waited for, as a literal
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

    /** As the other one, for an elastic job. */
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

    /** Returns the rendezvous, which takes the words of the launcher. */
    RendezvousServer server() {
        return office == null ? ownServer : office.server();
    }

    /** From now on a process that ends, and has noted that it had finalized, counts as one that has said goodbye. */
    void read(FinalizeNotes ofProcesses) {
        notes = ofProcesses;
    }

    /** When {@link #tick} is due; {@link Long#MAX_VALUE} for never. */
    long deadlineNs() {
        return office == null ? Long.MAX_VALUE : office.deadlineNs();
    }

    /** Gives up to wait for a coordinator, once that lasts too long. */
    void tick(long nowNs) {
        if (office != null) {
            office.tick(nowNs);
        }
    }

    /** Ends the job with this code for all its processes. */
    void abort(int code, String reason) {
        if (office == null) {
            ownServer.abort(code, reason);
        } else {
            office.say(server -> server.abort(code, reason));
        }
    }

    /**
     * A process is about to be started on another host.
     *
     * @param process the child in an elastic job
     */
    void placed(ProcessId process, int host) {
        isElsewhere(process);
        server().placed(children == null ? process : ProcessId.of(Children.told(process)), judged(host));
    }

    /** As {@link #placed}, for a spare. */
    void sparePlaced(int number, int host) {
        server().sparePlaced(number, judged(host));
    }

    /** The agent of another host was heard. Any thread. */
    void agentHeard(int host) {
        server().agentHeard(judged(host));
    }

    /** The agent of another host tells how long a process waited for a core. Any thread. */
    void coreWaited(ProcessId process, long question, long waitedNs) {
        waitsElsewhere.told(process, question, waitedNs);
    }

    /** The agent of another host was lost. Any thread. */
    void agentLost(int host) {
        server().agentLost(judged(host));
    }

    /**
     * The number by which the judge of silences knows another host. For the judge 0 is the launcher's own host, which
     * may be any of the job, or none.
     */
    private static int judged(int host) {
        return host + 1;
    }

    /** A spare of another host got a place. */
    void assignedElsewhere(ProcessId process) {
        isElsewhere(process);
    }

    /** On the launcher's main thread, before the judge of silences knows the process. */
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

    /** A process has ended, which is proven. Any thread. */
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

    /** Says something about a process of an elastic job that has to hold, whichever process is the coordinator. */
    private void say(long nonce, Consumer<WordsAboutOne> words) {
        if (office == null) {
            ownServer.about(nonce, words);
        } else {
            office.say(server -> server.about(nonce, words));
        }
    }

    /** As the other one, about the process as which a child has joined; nothing before it has. */
    private void say(ProcessId child, Consumer<WordsAboutOne> words) {
        List<Long> nonces = children.nonces(child);
        if (!nonces.isEmpty()) {
            say(nonces.get(nonces.size() - 1), words);
        }
    }

    /** Says something about the process as which a child of an elastic job has joined; nothing before it has. */
    private void about(ProcessId child, Consumer<WordsAboutOne> words) {
        List<Long> nonces = children.nonces(child);
        if (!nonces.isEmpty()) {
            server().about(nonces.get(nonces.size() - 1), words);
        }
    }

    /** All processes that this launcher has started for an elastic job have joined, or will not any more. */
    void endLastCall() {
        if (office != null && !isLastCallEnded) {
            // Said again in each term: a coordinator that goes on begins the last call anew.
            isLastCallEnded = true;
            office.say(RendezvousServer::endLastCall);
        } else {
            server().endLastCall();
        }
    }

    /** As {@link #ended}, for a process whose goodbye is known from elsewhere. */
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

    /** Tells a process that the launcher got a signal for it. */
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

    /** The end of a process is proven that counted as ended. Any thread. */
    void proven(ProcessId process) {
        if (children == null) {
            server().proven(process);
        } else {
            for (long nonce : children.nonces(process)) {
                server().about(nonce, WordsAboutOne::proven);
            }
        }
    }

    /** Puts the end of a process into the queue, behind the events of all its earlier messages. */
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

    /** Of the process as which a child has joined last; 0 before it has. */
    private long lastNonce(ProcessId child) {
        List<Long> nonces = children.nonces(child);
        return nonces.isEmpty() ? 0 : nonces.get(nonces.size() - 1);
    }

    /**
     * Writes into etcd what other launchers need whose processes join the job, which has an elected coordinator.
     *
     * @throws org.ulfmj.command.UsageException if etcd does not take it
     */
    void tellPlace(String place) {
        office.tellPlace(place.getBytes(StandardCharsets.UTF_8));
    }

    /** Passes on the state of a process, which may be a spare. */
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

    /** The key of a process at the launcher: its child in an elastic job. */
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

    /** The slot of each member of an elastic world, by its child. */
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
            // The report is dropped, and the page then says that the process did not answer.
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
