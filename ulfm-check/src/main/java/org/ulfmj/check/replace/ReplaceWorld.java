package org.ulfmj.check.replace;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.ulfmj.agree.CommunicatorIds;
import org.ulfmj.agree.change.ReplaceTerms;
import org.ulfmj.agree.message.Admission;
import org.ulfmj.agree.message.Contact;
import org.ulfmj.agree.message.ControlMessage;
import org.ulfmj.agree.tree.TreeShape;
import org.ulfmj.check.detector.Pace;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.Placement;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotRuns;
import org.ulfmj.sim.SeededRandom;
import org.ulfmj.sim.SimProcess;
import org.ulfmj.sim.Simulation;
import org.ulfmj.sim.VirtualNetwork;

/**
 * The processes of one schedule, and what they share. The processes are listed with those of incarnation 0 first, by
 * slot, then the newcomers in the order in which they were started.
 */
public final class ReplaceWorld {
    private static final int MOST_HOSTS = 4;

    private final Simulation simulation;
    private final VirtualNetwork<ProcessId, ControlMessage> network;
    private final Pace pace;
    private final ReplaceProgram program;
    private final ReplaceTerms terms;
    private final CommunicatorIds ids;
    private final TreeShape shape;
    private final boolean needsMajority;
    private boolean putsOffObituaries;
    private final WorldLog worlds = new WorldLog();
    private final List<ReplaceRank> all = new ArrayList<>();
    private final Map<ProcessId, ReplaceRank> byId = new TreeMap<>();
    private final List<Said> watches = new ArrayList<>();
    private final NotReplacedLog outcomes = new NotReplacedLog();
    private final SideDecisions sideDecisions = new SideDecisions();
    private final boolean keepsHouse;
    private Consumer<ReplaceRank> onEnd = ended -> {};
    private final SeededRandom nonces;
    /** Draws the hosts of processes: a newcomer may be on another host than the process before it in its slot. */
    private final SeededRandom hostDraws;

    private final int hosts;
    /** Whether the processes of incarnation 0 on one host have contiguous slots. */
    private final boolean isContiguous;

    private Membership first;

    /** Is told of each message that the core of a process sends, before the message is passed on to the network. */
    interface Said {
        void sends(ReplaceRank by, ProcessId to, ControlMessage message);
    }

    public ReplaceWorld(
            Simulation simulation,
            VirtualNetwork<ProcessId, ControlMessage> network,
            Pace pace,
            ReplaceProgram program,
            ReplaceTerms terms,
            CommunicatorIds ids,
            TreeShape shape,
            boolean needsMajority) {
        this.simulation = simulation;
        this.network = network;
        this.pace = pace;
        this.program = program;
        this.terms = terms;
        this.ids = ids;
        this.shape = shape;
        this.needsMajority = needsMajority;
        this.nonces = simulation.random("nonces");
        this.hostDraws = simulation.random("hosts");
        this.hosts = hostDraws.chance(50) ? 1 : 2 + hostDraws.below(MOST_HOSTS - 1);
        this.isContiguous = hostDraws.chance(50);
        this.keepsHouse = simulation.random("housekeeping").chance(40);
    }

    public Simulation simulation() {
        return simulation;
    }

    public VirtualNetwork<ProcessId, ControlMessage> network() {
        return network;
    }

    public Pace pace() {
        return pace;
    }

    public ReplaceProgram program() {
        return program;
    }

    public ReplaceTerms terms() {
        return terms;
    }

    public CommunicatorIds ids() {
        return ids;
    }

    public TreeShape shape() {
        return shape;
    }

    public boolean needsMajority() {
        return needsMajority;
    }

    /**
     * Lets each process delay those of its obituaries whose evidence of the death is certain, before it sends them. To
     * be called before the first event.
     */
    public void putOffObituaries() {
        putsOffObituaries = true;
        all.forEach(ReplaceRank::putOffObituaries);
    }

    boolean putsOffObituaries() {
        return putsOffObituaries;
    }

    public WorldLog worlds() {
        return worlds;
    }

    public SideDecisions sideDecisions() {
        return sideDecisions;
    }

    /** Whether housekeeping starts as soon as one communicator was freed. */
    boolean keepsHouse() {
        return keepsHouse;
    }

    /** Returns the log of the returns from replace() with an error because slots stayed empty. */
    public NotReplacedLog outcomes() {
        return outcomes;
    }

    /** Sets the action that is run when a process has ended. To be called before the first event. */
    public void onEnd(Consumer<ReplaceRank> newOnEnd) {
        onEnd = newOnEnd;
        all.forEach(this::watchEnd);
    }

    private void watchEnd(ReplaceRank rank) {
        rank.process().onEnd(() -> {
            if (all.stream().anyMatch(other -> other.isRunning() && other.isReplacing())) {
                simulation.cover(ReplaceEvents.SECOND_FAILURE);
            }
            onEnd.accept(rank);
        });
    }

    public List<Said> watches() {
        return watches;
    }

    public int size() {
        return simulation.ranks();
    }

    /** Every process that was ever started; a live list. */
    public List<ReplaceRank> all() {
        return all;
    }

    public ReplaceRank of(ProcessId id) {
        return byId.get(id);
    }

    /** Returns the contact of a process that is to be started. */
    public Contact contactOf(ProcessId id) {
        byte host =
                (byte) (isContiguous && id.incarnation() == 0 ? id.slot() * hosts / size() : hostDraws.below(hosts));
        return new Contact(id, nonces.nextLong(), new byte[] {(byte) network.nodeOf(id), host});
    }

    /** Returns on which hosts the members of a world are, which their addresses tell. */
    public Placement placement(Collection<Contact> members) {
        int[] slots = new int[members.size()];
        long[] keys = new long[slots.length];
        int count = 0;
        for (Contact member : members) {
            slots[count] = member.process().slot();
            keys[count++] = member.address()[1];
        }
        return Placement.of(SlotRuns.of(slots), keys);
    }

    /** Makes the first world, with the hosts of its members. */
    public void begin(List<Contact> members) {
        first = Membership.initial(size()).on(placement(members));
    }

    Membership first() {
        return first;
    }

    /**
     * Makes a process, without starting it.
     *
     * @param gathered the world, made by roll call, in which it begins; null for a member of the first world, and for a
     *     newcomer
     */
    public ReplaceRank create(Contact contact, Admission gathered) {
        ProcessId id = contact.process();
        SimProcess<ProcessId, ControlMessage> process = new SimProcess<>(simulation, network.nodeOf(id), network);
        ReplaceRank rank = new ReplaceRank(this, contact, gathered, process);
        all.add(rank);
        byId.put(id, rank);
        watchEnd(rank);
        return rank;
    }

    /** Returns the processes that run and are in a world. */
    public List<ReplaceRank> members() {
        return all.stream()
                .filter(rank -> rank.isRunning() && !rank.isPending())
                .toList();
    }

    /** Returns the processes that run, are in a world and are not leaving: their rings watch each other. */
    public List<ReplaceRank> watching() {
        return all.stream().filter(ReplaceRank::isWatching).toList();
    }

    /** Whether a process runs, and no running process has marked it failed. */
    public boolean isLive(ReplaceRank rank) {
        return rank.isRunning()
                && all.stream()
                        .noneMatch(
                                other -> other.isRunning() && other.failures().hasFailed(rank.id()));
    }
}
