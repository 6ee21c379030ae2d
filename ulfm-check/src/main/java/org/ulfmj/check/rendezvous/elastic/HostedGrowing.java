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
 * Makes the decisions of the members of a world on several hosts. A member takes part if it runs, is not paused, its
 * lease has not run out, and its host is reached. All that take part decide at the same time, but only if each of them
 * was told that each of the other members has ended, was silenced or has departed.
 */
final class HostedGrowing {
    private final Simulation world;
    private final SeededRandom random;
    private final int max;
    private final Map<Integer, LauncherApplicant> byNode;
    private final HostsReached hosts;

    HostedGrowing(
            Simulation world,
            SeededRandom random,
            int max,
            Map<Integer, LauncherApplicant> byNode,
            HostsReached hosts) {
        this.world = world;
        this.random = random;
        this.max = max;
        this.byNode = byNode;
        this.hosts = hosts;
    }

    private boolean takesPart(LauncherApplicant one) {
        return one.isRunning() && !one.process().isPaused() && hosts.isReached(one.host()) && !one.endsNow();
    }

    /**
     * All members that take part call grow(). Without effect, for example, if one of them has not entered the latest
     * world yet.
     */
    void grow() {
        LauncherApplicant latest = LatestWorld.member(byNode.values(), this::takesPart);
        if (latest == null) {
            return;
        }
        List<MemberRecord> members = new ArrayList<>();
        List<LauncherApplicant> deciders = new ArrayList<>();
        List<MemberRecord> away = new ArrayList<>();
        for (MemberRecord member : latest.table()) {
            LauncherApplicant holder = byNode.get((int) member.nonce());
            if (!takesPart(holder)) {
                away.add(member);
            } else if (holder.round() == latest.round() && holder.epoch() == latest.epoch()) {
                deciders.add(holder);
                members.add(member);
            } else {
                return;
            }
        }
        for (MemberRecord member : away) {
            if (!deciders.stream().allMatch(decider -> decider.knowsDead(member.id()))) {
                return;
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
        if (newcomers.isEmpty() && away.isEmpty()) {
            return;
        }
        away.forEach(member -> byNode.get((int) member.nonce()).excuse());
        cover(newcomers);
        Admission admission = new Admission(latest.round(), latest.epoch() + 1, members, next);
        boolean isLauncherFirst = random.chance(50);
        deciders.forEach(decider -> decider.enter(admission, newcomers, isLauncherFirst));
    }

    private void cover(List<Integer> newcomers) {
        for (int newcomer : newcomers) {
            boolean isReached = hosts.isReached(byNode.get(newcomer).host());
            world.cover(isReached ? "let in" : "let in while its host is away");
        }
    }
}
