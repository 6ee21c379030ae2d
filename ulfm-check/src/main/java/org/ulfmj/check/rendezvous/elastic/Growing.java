package org.ulfmj.check.rendezvous.elastic;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.rendezvous.rounds.Joiner;
import org.ulfmj.sim.SeededRandom;
import org.ulfmj.sim.Simulation;
import org.ulfmj.transport.MemberRecord;

/**
 * Makes the decisions of the members of a world: which waiting processes they admit, and which members they go on
 * without. All members that run and are not paused take a decision at the same time; the agreement by which members
 * decide is not simulated here.
 */
public final class Growing {
    private final Simulation world;
    private final SeededRandom random;
    private final int max;
    private final Map<Integer, ? extends Applicant<?>> byNode;
    private final boolean doesExclude;

    /**
     * @param byNode all processes of the job
     * @param doesExclude whether the members may also go on without a member that stands still
     */
    public Growing(
            Simulation world,
            SeededRandom random,
            int max,
            Map<Integer, ? extends Applicant<?>> byNode,
            boolean doesExclude) {
        this.world = world;
        this.random = random;
        this.max = max;
        this.byNode = byNode;
        this.doesExclude = doesExclude;
    }

    /**
     * All members that are not paused call grow(). Without effect, for example, if one of them has not entered the
     * latest world yet.
     */
    public void grow() {
        Applicant<?> latest = LatestWorld.member(
                byNode.values(), one -> one.isRunning() && !one.process().isPaused());
        if (latest == null) {
            return;
        }
        if (haveMembersFinalized(latest)) {
            return;
        }
        boolean doExclude = doesExclude && random.chance(50);
        List<MemberRecord> members = new ArrayList<>();
        List<Applicant<?>> deciders = new ArrayList<>();
        List<Applicant<?>> excluded = new ArrayList<>();
        for (MemberRecord member : latest.table()) {
            Applicant<?> holder = byNode.get((int) member.nonce());
            boolean isPaused = holder.process().isRunning() && holder.process().isPaused();
            if (isPaused && !doExclude) {
                return;
            }
            if (isPaused) {
                excluded.add(holder);
            } else if (holder.process().isRunning()) {
                if (!holder.isRunning() || holder.round() != latest.round() || holder.epoch() != latest.epoch()) {
                    return;
                }
                deciders.add(holder);
                members.add(member);
            }
        }
        List<Integer> newcomers = new ArrayList<>();
        int next = latest.next();
        for (Joiner joiner : LatestWorld.applicants(deciders, latest).values()) {
            if (members.size() < max) {
                members.add(joiner.member().named(ProcessId.of(next++)));
                newcomers.add((int) joiner.nonce());
            }
        }
        if (newcomers.isEmpty() && members.size() == latest.table().size()) {
            return;
        }
        excluded.forEach(Applicant::excuse);
        cover(newcomers, excluded);
        Admission admission = new Admission(latest.round(), latest.epoch() + 1, members, next);
        boolean isLauncherFirst = random.chance(50);
        for (Applicant<?> decider : deciders) {
            decider.enter(admission, newcomers, isLauncherFirst);
        }
    }

    private boolean haveMembersFinalized(Applicant<?> latest) {
        return latest.table().stream()
                .anyMatch(member -> byNode.get((int) member.nonce()).hasFinalized());
    }

    /**
     * All members that run call Finalize, and decide that the world is finished. Without effect, for example, if one of
     * them stands still, or has not entered the latest world yet.
     */
    public void finish() {
        Applicant<?> latest = LatestWorld.member(byNode.values(), Applicant::isRunning);
        if (latest == null || haveMembersFinalized(latest)) {
            return;
        }
        List<Applicant<?>> deciders = new ArrayList<>();
        for (MemberRecord member : latest.table()) {
            Applicant<?> one = byNode.get((int) member.nonce());
            if (!one.process().isRunning()) {
                continue;
            }
            boolean isElsewhere = one.round() != latest.round() || one.epoch() != latest.epoch();
            if (one.process().isPaused() || !one.isRunning() || isElsewhere) {
                return;
            }
            deciders.add(one);
        }
        world.cover("finalized");
        deciders.forEach(Applicant::finish);
    }

    private void cover(List<Integer> newcomers, List<Applicant<?>> excluded) {
        if (!newcomers.isEmpty()) {
            world.cover("admitted");
        }
        if (!excluded.isEmpty()) {
            world.cover("went on without one that stood still");
        }
    }
}
