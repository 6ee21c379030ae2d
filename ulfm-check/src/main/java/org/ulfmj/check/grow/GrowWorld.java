package org.ulfmj.check.grow;

import java.util.ArrayList;
import java.util.List;
import org.ulfmj.agree.CommunicatorIds;
import org.ulfmj.agree.change.ReplaceTerms;
import org.ulfmj.agree.message.Contact;
import org.ulfmj.agree.tree.TreeShape;
import org.ulfmj.check.detector.Pace;
import org.ulfmj.check.survivor.ControlTraits;
import org.ulfmj.protocol.Digest64;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.sim.SeededRandom;
import org.ulfmj.sim.SimProcess;
import org.ulfmj.sim.Simulation;
import org.ulfmj.sim.VirtualNetwork;

/** The processes of one schedule, by node: founders, joiners, then replacements; and what they share. */
public final class GrowWorld {
    /** The id of COMM_WORLD in epoch 0. */
    static final long FIRST_WORLD = 0x3082;

    private final Simulation simulation;
    private final VirtualNetwork<Integer, Letter> network;
    private final Pace pace;
    private final GrowProgram program;
    private final ReplaceTerms terms;
    private final CommunicatorIds ids = new CommunicatorIds(new Digest64(new byte[32]));
    private final TreeShape shape;
    private final Membership first;
    private final SeededRandom nonces;
    private final GrowLog log = new GrowLog();
    private final List<GrowProcess> all = new ArrayList<>();

    public GrowWorld(Simulation simulation, SeededRandom random, Pace pace, GrowProgram program) {
        this.simulation = simulation;
        this.pace = pace;
        this.program = program;
        this.terms = new ReplaceTerms(false, 1 + random.below(3), 30 * pace.unitNs());
        this.shape = random.chance(80) ? TreeShape.BINARY : TreeShape.WIDE;
        this.first = Membership.initial(simulation.ranks());
        this.nonces = simulation.random("nonces");
        this.network = new VirtualNetwork<>(
                simulation,
                pace.delays(simulation),
                new Letter.Traits(new ControlTraits(random.chance(50), random.chance(20))),
                Integer::intValue,
                Integer::valueOf);
        if (simulation.random("repeats").chance(20) && simulation.plans("repeated messages of agreements")) {
            network.repeat(5);
        }
    }

    public Simulation simulation() {
        return simulation;
    }

    public Pace pace() {
        return pace;
    }

    public GrowProgram program() {
        return program;
    }

    public ReplaceTerms terms() {
        return terms;
    }

    CommunicatorIds ids() {
        return ids;
    }

    TreeShape shape() {
        return shape;
    }

    Membership first() {
        return first;
    }

    public GrowLog log() {
        return log;
    }

    VirtualNetwork<Integer, Letter> network() {
        return network;
    }

    public int size() {
        return first.size();
    }

    /** Every process that was made, by node; a live list. */
    public List<GrowProcess> all() {
        return all;
    }

    /**
     * Makes the process of the next node, without starting it.
     *
     * @param id null for a joiner, which has no slot
     */
    public GrowProcess create(ProcessId id) {
        int node = all.size();
        SimProcess<Integer, Letter> process = new SimProcess<>(simulation, node, network);
        GrowProcess created = new GrowProcess(this, id, nonces.nextLong(), process);
        all.add(created);
        return created;
    }

    /** The contacts of the founders. */
    public List<Contact> founders() {
        List<Contact> founders = new ArrayList<>();
        for (GrowProcess founder : all.subList(0, size())) {
            founders.add(founder.contact(founder.id()));
        }
        return founders;
    }

    static int nodeOf(Contact contact) {
        return contact.address()[0];
    }

    /** The process that a contact stands for. */
    public GrowProcess of(Contact contact) {
        return all.get(nodeOf(contact));
    }

    /** The processes that run and are in a world. */
    public List<GrowProcess> members() {
        return all.stream().filter(GrowProcess::isMember).toList();
    }

    /** Whether a process runs and no running member has marked it failed. */
    public boolean isLive(GrowProcess process) {
        return process.isRunning() && members().stream().noneMatch(other -> other.holdsForFailed(process));
    }
}
