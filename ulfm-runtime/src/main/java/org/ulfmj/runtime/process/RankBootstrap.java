package org.ulfmj.runtime.process;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.rendezvous.client.JoinRequest;
import org.ulfmj.rendezvous.client.RendezvousClient;
import org.ulfmj.rendezvous.client.RendezvousException;
import org.ulfmj.rendezvous.client.Whereabouts;
import org.ulfmj.rendezvous.lease.LeaseTimes;
import org.ulfmj.rendezvous.message.OutReason;
import org.ulfmj.runtime.RankBinding;
import org.ulfmj.runtime.RankRuntime;
import org.ulfmj.runtime.RankSource;
import org.ulfmj.runtime.member.RankIdentity;
import org.ulfmj.runtime.office.RankOffice;
import org.ulfmj.runtime.options.HostPlace;
import org.ulfmj.runtime.options.JobConfiguration;
import org.ulfmj.runtime.options.LaunchEnvironment;
import org.ulfmj.runtime.options.Options;
import org.ulfmj.runtime.options.RankSettings;
import org.ulfmj.transport.Fabric;
import org.ulfmj.transport.MemberRecord;
import org.ulfmj.transport.auth.JobSecret;
import org.ulfmj.transport.auth.RandomBytes;
import org.ulfmj.transport.host.HostProcess;
import org.ulfmj.transport.session.LinkIdentity;
import org.ulfmj.transport.tcp.LinkFault;
import org.ulfmj.transport.tcp.LinkFaults;
import org.ulfmj.transport.tcp.TcpFabric;

/**
 * Makes this process a rank: of the job that its environment describes, or of a job with this rank alone if the
 * environment describes none.
 *
 * <p>To join, the process first binds its port, then meets the others at the launcher, and goes on when all have
 * confirmed. From then on the launcher tells of deaths, and with fault tolerance lifelines to the neighbours on this
 * host stand soon.
 */
public final class RankBootstrap implements RankSource {
    /**
     * How much longer than the launcher this process waits for all to join: when the launcher's own time is over, it
     * names the processes that are missing.
     */
    private static final long PATIENCE_SLACK_NS = 10_000_000_000L;

    private final Map<String, String> environment;

    /** Makes the bootstrap of this process. */
    public RankBootstrap() {
        this(System.getenv());
    }

    RankBootstrap(Map<String, String> environment) {
        this.environment = environment;
    }

    @Override
    public RankBinding join() {
        RankBinding binding = LaunchEnvironment.isLaunched(environment) ? joinJob() : SingleRank.start(environment);
        MainThreadEnd.watch(binding.runtime());
        return binding;
    }

    private RankBinding joinJob() {
        LaunchEnvironment place;
        try {
            place = LaunchEnvironment.from(environment);
        } catch (IllegalArgumentException wrong) {
            throw new IllegalStateException(wrong.getMessage(), wrong);
        }
        try {
            JobConfiguration configuration = JobConfiguration.read(place.configuration());
            requireSameOptions(configuration.options(), Options.fromProperties(System.getProperties()));
            return joinJob(place, configuration, JobSecret.read(place.secretFile()));
        } catch (IOException | RendezvousException | IllegalArgumentException failed) {
            throw new IllegalStateException(
                    who(place) + " cannot join job " + place.runId() + ": " + failed.getMessage(), failed);
        }
    }

    private static String who(LaunchEnvironment place) {
        if (place.isElastic()) {
            return "process " + place.child();
        }
        return place.isWaitingForSlot() ? "spare process " + place.spare() : "rank " + place.process();
    }

    /**
     * Throws if system properties differ from the options of the job. All processes of a job share its options, and
     * such a property would be ignored silently.
     */
    private static void requireSameOptions(Options ofJob, Map<String, String> properties) {
        if (properties.isEmpty()) {
            return;
        }
        Map<String, String> settings = new TreeMap<>(ofJob.toSettings());
        settings.putAll(properties);
        if (Options.of(settings).hash() != ofJob.hash()) {
            throw new IllegalArgumentException("system properties " + properties
                    + " differ from the options of the job; all its processes share them, so they are given to mpiexec:"
                    + " --set " + properties.entrySet().iterator().next());
        }
    }

    private static RankBinding joinJob(LaunchEnvironment started, JobConfiguration configuration, JobSecret secret)
            throws IOException {
        if (started.isElastic()) {
            return ElasticStart.join(started, configuration, secret);
        }
        Options options = configuration.options();
        long nonce = RandomBytes.nextLong();
        InetSocketAddress rendezvous = rendezvous(started.rendezvous());
        LaunchEnvironment place =
                started.isWaitingForSlot() ? WarmSpare.awaitSlot(started, rendezvous, options, secret, nonce) : started;
        TcpFabric fabric = new TcpFabric(
                new LinkIdentity(place.process(), nonce),
                secret,
                options.timing(),
                options.hash(),
                place.host().address(),
                SystemClock.INSTANCE);
        RankFaults faults = setUp(fabric, place, configuration);
        RankOffice office = null;
        try {
            office = officeOrNull(place, configuration, secret);
            MemberRecord me = recordOf(place, place.process(), nonce, fabric.port(), socketName(place.process()));
            Media media = new Media(place, options, me, fabric);
            // The type Whereabouts comes from that class's own method: a conversion here would load it in every job
            // (ADR 20).
            Whereabouts whereabouts = office == null ? null : office.whereabouts();
            RendezvousClient client = join(request(place, configuration, secret, me, whereabouts));
            return begin(place, configuration, secret, me, client, fabric, media, faults, office);
        } catch (IOException | RuntimeException failed) {
            if (office != null) {
                office.leave();
            }
            fabric.close();
            throw failed;
        }
    }

    /**
     * Sets the options of a fabric that knows no peer yet. Returns the planned faults of this rank; null if no faults
     * are planned in the job.
     */
    static RankFaults setUp(TcpFabric fabric, LaunchEnvironment place, JobConfiguration configuration) {
        Options options = configuration.options();
        fabric.resumeLinks(options.resumesLinks());
        fabric.linkBuffer(options.linkBufferBytes());
        fabric.protect(options.protection());
        RankFaults faults = configuration.faults().isEmpty()
                ? null
                : RankFaults.of(
                        configuration.faults(), place.process(), place.host().key(), place.size());
        List<LinkFault> ofLinks = faults == null ? options.linkFaults() : faults.ofLinks(options.linkFaults());
        if (ofLinks != null) {
            fabric.injectFaults(new LinkFaults(place.process().slot(), ofLinks));
        }
        return faults;
    }

    /**
     * Makes this process a candidate for the office of coordinator; returns null where the launcher alone is the
     * coordinator.
     */
    static RankOffice officeOrNull(LaunchEnvironment place, JobConfiguration configuration, JobSecret secret) {
        return configuration.rdzv() == null ? null : office(place, configuration, secret);
    }

    private static RankOffice office(LaunchEnvironment place, JobConfiguration configuration, JobSecret secret) {
        return RankOffice.begin(
                configuration.rdzv(), place, secret, configuration.options().protection(), configuration.launcher());
    }

    /**
     * @param whereabouts where the coordinator is, which may change; null where the launcher alone is the coordinator
     */
    static JoinRequest request(
            LaunchEnvironment place,
            JobConfiguration configuration,
            JobSecret secret,
            MemberRecord me,
            Whereabouts whereabouts) {
        Options options = configuration.options();
        return new JoinRequest(
                rendezvous(place.rendezvous()),
                place.runId(),
                me,
                secret,
                options.hash(),
                options.joinTimeoutNs() + options.confirmTimeoutNs() + PATIENCE_SLACK_NS,
                launcherBudgetNs(options, place.host()),
                leaseOf(options, place.host()),
                options.protection(),
                whereabouts);
    }

    /** Makes the rank of a process that has joined and has a slot. A newcomer waits here to be admitted. */
    static RankBinding begin(
            LaunchEnvironment place,
            JobConfiguration configuration,
            JobSecret secret,
            MemberRecord me,
            RendezvousClient client,
            TcpFabric fabric,
            Media media,
            RankFaults faults,
            RankOffice office) {
        Options options = configuration.options();
        List<MemberRecord> table = client.isPending() ? with(me, client.table()) : client.table();
        media.connect(table);
        if (faults != null) {
            client.cut(faults.ofLauncherLine(System.nanoTime()));
        }
        int mostMembers = place.isElastic() ? place.size() : 1;
        ProcessRank around = new ProcessRank(me, table, client, fabric, configuration, faults, mostMembers, office);
        RankIdentity identity =
                RankIdentity.of(me, client.table(), secret.bytes(), place.isElastic() && client.round() > 1);
        RankSettings settings = settings(options, place, configuration);
        Fabric links = media.fabric(settings.triggers(), around);
        RankRuntime runtime = RankRuntime.create(identity, links, SystemClock.INSTANCE, settings, around);
        ShutdownWatch.install(place.process(), runtime, options.graceNs());
        if (identity.isNewcomer()) {
            String refusal = runtime.awaitAdmission();
            if (refusal != null) {
                throw new IllegalStateException(refusal);
            }
        }
        if (faults != null) {
            faults.begin();
        }
        if (options.isFaultTolerant()) {
            LateStart.begin(runtime, around.lifelines(), around.soonOnThisHost(), settings.crowded());
        } else {
            LateStart.begin(runtime, settings.crowded());
        }
        return new RankBinding(runtime, options.initialErrhandler(), options);
    }

    /**
     * Returns how long the launcher may be out of reach before it counts as lost: for a process that no agent has
     * started, in a job of one host, the budget of a link; else the lease, within which a network may come back.
     */
    static long launcherBudgetNs(Options options, HostPlace host) {
        return host.hasAgent() || host.count() > 1
                ? options.leaseNs()
                : options.timing().linkBudgetNs();
    }

    /**
     * V15: returns the times of this process's lease, or of its watch over the launcher where it may go on without the
     * launcher; null for neither, as for a process on the launcher's own host, where its end is proven.
     */
    static LeaseTimes leaseOf(Options options, HostPlace host) {
        long leaseNs = host.hasAgent() ? options.processLeaseNs() : 0;
        long watchNs = host.hasAgent() && leaseNs == 0 ? options.launcherWatchNs() : leaseNs;
        return watchNs == 0
                ? null
                : new LeaseTimes(watchNs, options.keepAliveNs(), options.keepAliveAnswerNs(), leaseNs != 0);
    }

    /**
     * Meets the other processes at the launcher. Ends this process if the launcher has fenced it, or if it was to
     * replace another one and is not needed any more.
     */
    private static RendezvousClient join(JoinRequest request) {
        try {
            return RendezvousClient.join(request);
        } catch (RendezvousException refusal) {
            if (refusal.isFence()) {
                ProcessEnd.fenced(request.me().id(), refusal.getMessage());
            }
            boolean isOver = refusal.reason() == OutReason.GONE_ON || refusal.reason() == OutReason.CLOSED;
            if (isOver && request.me().id().incarnation() > 0) {
                ProcessEnd.notNeeded(request.me().id(), refusal.getMessage());
            }
            throw refusal;
        }
    }

    /**
     * Returns the record by which other processes find this one.
     *
     * @param id {@code Joiner.NAMELESS} while the process has no slot
     * @param socketName the name of the socket for its lifelines, in the job directory
     */
    static MemberRecord recordOf(LaunchEnvironment place, ProcessId id, long nonce, int port, String socketName) {
        // Others learn this path before this process listens there: until it does, its neighbours dial a lifeline again
        // and again.
        Path socket = place.jobDirectory().resolve(socketName);
        return new MemberRecord(
                id, nonce, place.host().key(), place.host().address(), port, socket.toString(), HostProcess.self());
    }

    /** The name is built without {@code +}, whose first use costs a starting virtual machine ten milliseconds. */
    private static String socketName(ProcessId id) {
        return new StringBuilder("life.")
                .append(id.slot())
                .append('.')
                .append(id.incarnation())
                .toString();
    }

    private static InetSocketAddress rendezvous(String hostAndPort) {
        int colon = hostAndPort.lastIndexOf(':');
        try {
            return new InetSocketAddress(
                    hostAndPort.substring(0, colon), Integer.parseInt(hostAndPort.substring(colon + 1)));
        } catch (IndexOutOfBoundsException | IllegalArgumentException wrong) {
            throw new IllegalArgumentException("ULFM_RDZV is '" + hostAndPort + "', it must be host:port", wrong);
        }
    }

    /** Returns the table with this newcomer in its slot, instead of the former process of that slot if there is one. */
    private static List<MemberRecord> with(MemberRecord me, List<MemberRecord> table) {
        List<MemberRecord> all = new ArrayList<>();
        boolean isIn = false;
        for (MemberRecord member : table) {
            int order = Integer.compare(member.id().slot(), me.id().slot());
            if (order >= 0 && !isIn) {
                all.add(me);
                isIn = true;
            }
            if (order != 0) {
                all.add(member);
            }
        }
        if (!isIn) {
            all.add(me);
        }
        return all;
    }

    private static RankSettings settings(Options options, LaunchEnvironment place, JobConfiguration configuration) {
        // A process that is bound sees its own processors only, which are for no other rank.
        boolean isCrowded =
                !place.isBound() && place.localSize() > Runtime.getRuntime().availableProcessors();
        return options.rankSettings(place.localSize(), isCrowded, configuration.triggersOf(place.process()));
    }
}
