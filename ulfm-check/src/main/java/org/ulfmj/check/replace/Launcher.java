package org.ulfmj.check.replace;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.ulfmj.agree.message.Admission;
import org.ulfmj.agree.message.Contact;
import org.ulfmj.check.detector.Pace;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.sim.SeededRandom;
import org.ulfmj.sim.SimProcess;
import org.ulfmj.sim.Simulation;

/**
 * The simulated launcher. It starts the next incarnation in the slot of a process that has ended, if restarts are left
 * and the world needs the slot, and announces newcomers (P8). It admits no process to the world of a member that lives.
 * It may die at any time. Its messages on their way then arrive or are lost, and it starts no more newcomers (P9).
 */
public final class Launcher {
    /** The number of incarnations per slot for which a fate is drawn. The launcher starts no more. */
    public static final int MOST_RESTARTS_OF_A_SLOT = 4;

    private static final long JOIN_NS = 20 * Pace.TIMING.detectorTimeoutNs();

    private static final String USED_UP = "all restarts are used up";
    private static final String GONE = "no process is started any more";

    private final ReplaceWorld world;
    private final Simulation simulation;
    private final SeededRandom random;
    private final Map<ProcessId, Fate> fates;
    private final long longestNewsNs;
    private int restartsLeft;
    private final SimulatedRollCall rollCall;
    private final boolean endsTheReported;
    private boolean dead;
    private boolean over;
    private Admission committed;
    /**
     * How many worlds the launcher has gathered by roll call. A report that a process sent before the last of these is
     * ignored.
     */
    private int gathers;

    /** The processes that wait, by slot. */
    private final SortedMap<Integer, ReplaceRank> pending = new TreeMap<>();

    private final SortedMap<Integer, String> noMore = new TreeMap<>();

    /** @param longestNewsNs how late the launcher's messages may come */
    public Launcher(ReplaceWorld world, Map<ProcessId, Fate> fates, int restarts, long longestNewsNs) {
        this.world = world;
        this.simulation = world.simulation();
        this.random = simulation.random("launcher");
        this.fates = fates;
        this.restartsLeft = restarts;
        this.longestNewsNs = longestNewsNs;
        this.rollCall = new SimulatedRollCall(world, this);
        this.endsTheReported = simulation.random("reports").chance(50);
    }

    /**
     * Returns the slots in which no process is started any more, as the launcher has announced or since it has died and
     * that is noticed, with the reasons.
     */
    public SortedMap<Integer, String> noMore() {
        return noMore;
    }

    public boolean isDead() {
        return dead;
    }

    public boolean isOver() {
        return over || dead;
    }

    /** Whether the launcher lives and a roll call is open. */
    public boolean callsTheRoll() {
        return rollCall.isRunning() && !dead;
    }

    /** Returns the slots that the world needs. */
    public SortedSet<Integer> slots() {
        if (committed != null) {
            return new TreeSet<>(committed.members().keySet());
        }
        SortedSet<Integer> all = new TreeSet<>();
        for (int slot = 0; slot < world.size(); slot++) {
            all.add(slot);
        }
        return all;
    }

    /** Whether the launcher lives, and knows that a member has finalized or has itself given the job up. */
    public boolean knowsThatAllIsOver() {
        return over && !dead;
    }

    /**
     * The launcher dies.
     *
     * @param isNoticed whether the processes notice that, each after a time drawn for it
     */
    public void die(boolean isNoticed) {
        dead = true;
        if (world.all().stream().anyMatch(ReplaceRank::isReplacing)) {
            simulation.cover(ReplaceEvents.LAUNCHER_LOST);
        }
        world.all().forEach(this::leaveUnlessTold);
        if (isNoticed) {
            for (int slot = 0; slot < world.size(); slot++) {
                noMore.put(slot, GONE);
            }
            world.all().forEach(this::tellOfItsEnd);
        }
    }

    /** P9: if no launcher is left, a process that waits to be admitted, and still does after a limited time, ends. */
    private void leaveUnlessTold(ReplaceRank rank) {
        if (rank.isPending()) {
            simulation.faultAt(simulation.nowNs() + JOIN_NS, () -> rank.isSentAway("it was not told of a world"));
        }
    }

    private void tellOfItsEnd(ReplaceRank rank) {
        simulation.faultAt(simulation.nowNs() + drawNewsNs(), () -> rank.losesTheLauncher(GONE));
    }

    /** A process has ended. */
    public void onEnd(ReplaceRank ended) {
        replace(ended);
        if (!isOver()) {
            rollCall.onEnd(ended);
        }
    }

    private void replace(ReplaceRank ended) {
        int slot = ended.id().slot();
        pending.remove(slot, ended);
        if (dead || over) {
            return;
        }
        if (ended.hasLeft()) {
            over = true;
            sendAway("the world has finalized");
            return;
        }
        if (!isWanted(slot)) {
            return;
        }
        if (restartsLeft == 0 || ended.id().incarnation() == MOST_RESTARTS_OF_A_SLOT) {
            noMore.put(slot, USED_UP);
            for (ReplaceRank rank : List.copyOf(world.all())) {
                tell(rank, () -> rank.hearsOfNoMore(slot, USED_UP));
            }
            return;
        }
        restartsLeft--;
        ProcessId next = new ProcessId(slot, ended.id().incarnation() + 1);
        Fate fate = fates.get(next);
        simulation.faultAt(simulation.nowNs() + fate.startsNs(), () -> start(next, fate));
    }

    /**
     * A process has marked another one failed that still runs. In half of the schedules the launcher, when told, ends
     * that process if it runs.
     */
    void isTold(ReplaceRank reported) {
        if (endsTheReported) {
            hear(() -> {
                if (reported.isRunning() && !reported.hasLeft()) {
                    simulation.cover(ReplaceEvents.ENDED_ON_REPORT);
                    reported.process().crash();
                }
            });
        }
    }

    private void sendAway(String why) {
        for (ReplaceRank waiting : pending.values()) {
            tell(waiting, () -> waiting.isSentAway(why));
        }
    }

    /** Gives the job up, because no new world can be gathered: tells all processes that there is no world any more. */
    public void giveUp() {
        over = true;
        for (ReplaceRank rank : List.copyOf(world.all())) {
            tell(rank, () -> rank.isSentAway("there is no world any more"));
        }
    }

    private boolean isWanted(int slot) {
        return committed == null || committed.members().containsKey(slot);
    }

    private void start(ProcessId id, Fate fate) {
        if (dead || over) {
            return;
        }
        Contact contact = world.contactOf(id);
        if (rollCall.isRunning()) {
            rollCall.comes(contact, fate);
        } else {
            start(contact, fate);
        }
    }

    /** Starts a member of a gathered world. */
    void startMember(Contact contact, Fate fate, Admission gathered) {
        ReplaceRank member = world.create(contact, gathered);
        member.start(this, gathered.members().values());
        if (fate.endsNs() != Fate.NEVER) {
            plan(member, fate);
        }
    }

    /**
     * The launcher has made a new world by roll call. It takes that world for entered, without waiting for a report of
     * a member.
     */
    public void gathers(Admission gathered) {
        committed = gathered;
        pending.clear();
        gathers++;
    }

    /** Starts a newcomer, which waits for a world. */
    public void start(Contact contact, Fate fate) {
        ReplaceRank newcomer = world.create(contact, null);
        pending.put(contact.process().slot(), newcomer);
        newcomer.join(this, members());
        if (fate.endsNs() != Fate.NEVER) {
            plan(newcomer, fate);
        }
        for (ReplaceRank other : List.copyOf(world.all())) {
            if (other != newcomer) {
                tell(other, () -> other.hearsOf(newcomer.contact()));
                if (pending.get(other.id().slot()) == other) {
                    tell(newcomer, () -> newcomer.hearsOf(other.contact()));
                }
            }
        }
        noMore.forEach((slot, why) -> tell(newcomer, () -> newcomer.hearsOfNoMore(slot, why)));
    }

    private void plan(ReplaceRank newcomer, Fate fate) {
        SimProcess<?, ?> process = newcomer.process();
        simulation.faultAt(simulation.nowNs() + fate.endsNs(), () -> {
            if (newcomer.isPending()) {
                simulation.cover(ReplaceEvents.DIED_JOINING);
            }
            if (fate.afterSends() < 0) {
                process.crash();
            } else {
                process.crashAfterSends(fate.afterSends(), fate.sort());
            }
        });
    }

    /**
     * Returns the members as the launcher knows them: those of the last world that was reported to it or that it
     * gathered, or else the processes of the first world.
     */
    private List<Contact> members() {
        if (committed != null) {
            return List.copyOf(committed.members().values());
        }
        List<Contact> first = new ArrayList<>();
        for (ReplaceRank rank : world.all().subList(0, world.size())) {
            first.add(rank.contact());
        }
        return first;
    }

    /** Sends news to a process. Once the launcher is dead, only some of the news under way arrives. */
    public void tell(ReplaceRank rank, Runnable news) {
        boolean outlivesIt = random.chance(50);
        simulation.faultAt(simulation.nowNs() + drawNewsNs(), () -> {
            if (!dead || outlivesIt) {
                news.run();
            } else {
                simulation.cover(ReplaceEvents.NEWS_LOST);
            }
        });
    }

    /** Sends a message of a process to the launcher; it is lost if the launcher dies before it arrives. */
    public void hear(Runnable answer) {
        simulation.faultAt(simulation.nowNs() + drawNewsNs(), () -> {
            if (!dead) {
                answer.run();
            }
        });
    }

    private long drawNewsNs() {
        return random.between(0, random.chance(50) ? longestNewsNs : longestNewsNs / 50);
    }

    /**
     * COMMITTED: a member of a new world reports that world to the launcher. Of several worlds of one epoch, the one
     * that is reported first counts, and the processes that report others are excluded. A process for which the counted
     * world has no place is excluded if it is a member of a world, and sent away if it waits.
     */
    public void onCommitted(ReplaceRank from, Admission admission) {
        boolean outlivesIt = random.chance(50);
        int since = gathers;
        simulation.faultAt(simulation.nowNs() + drawNewsNs(), () -> {
            if (dead && !outlivesIt || since != gathers) {
                return;
            }
            if (committed == null || committed.epoch() < admission.epoch()) {
                adopt(admission);
            } else if (committed.epoch() > admission.epoch()) {
                excludeUnlisted();
            } else if (!committed.equals(admission)) {
                exclude(from);
            }
        });
    }

    private void adopt(Admission admission) {
        committed = admission;
        excludeUnlisted();
        for (ReplaceRank waiting : List.copyOf(pending.values())) {
            if (isTaken(waiting.id()) || !waiting.isRunning()) {
                pending.remove(waiting.id().slot());
            }
            if (isTaken(waiting.id()) && !isAdmitted(waiting.id())) {
                tell(waiting, () -> waiting.isSentAway("the world went on without it"));
            }
        }
        rollCall.goOn();
    }

    private void excludeUnlisted() {
        for (ReplaceRank rank : world.members()) {
            if (isTaken(rank.id()) && !isAdmitted(rank.id())) {
                exclude(rank);
            }
        }
    }

    private void exclude(ReplaceRank rank) {
        simulation.cover(ReplaceEvents.EXCLUDED);
        tell(rank, rank::isExcluded);
    }

    private boolean isAdmitted(ProcessId id) {
        Contact member = committed.members().get(id.slot());
        return member != null && member.process().equals(id);
    }

    /**
     * Whether the launcher's world has the same process or a later one in the slot of this process, or does not have
     * that slot.
     */
    private boolean isTaken(ProcessId id) {
        Contact member = committed.members().get(id.slot());
        return member == null || member.process().incarnation() >= id.incarnation();
    }
}
