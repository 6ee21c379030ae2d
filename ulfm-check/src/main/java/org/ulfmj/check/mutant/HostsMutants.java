package org.ulfmj.check.mutant;

import static org.ulfmj.sim.mutant.Mutant.without;

import java.util.List;
import org.ulfmj.sim.mutant.Mutant;

/**
 * Mutants of the judges of silences and of the leases, each without one of the rules that matter where ranks run on
 * several hosts.
 */
final class HostsMutants {
    private static final String JUDGE = "org.ulfmj.rendezvous.silence.SilenceJudge";
    private static final String HELD = "org.ulfmj.rendezvous.lease.HeldLease";
    private static final String SIDE = "org.ulfmj.rendezvous.silence.LaunchersSide";
    private static final String UNJUDGED = "org.ulfmj.detector.UnjudgedSilences";
    private static final String GRANTED = "org.ulfmj.rendezvous.lease.GrantedLeases";

    private static final Mutant MARKED_AT_ONCE = without(
                    "J1 markfirst", "a process is marked on a verdict, and not at the first complaint")
            .in(
                    JUDGE,
                    "accused.hasAnswered = false;\n        }",
                    "accused.hasAnswered = false;\n            effects.lose(accused.host.index, List.of(about), \"\");\n        }");

    private static final Mutant EDGES_OF_PROCESSES = without(
                    "J3 edgeproc", "between hosts the paths are those of hosts, and a whole host ends")
            .in(JUDGE, "new Paths<>(valid, subject -> subject.host.index);", "new Paths<>(List.of(), subject -> 0);");

    private static final Mutant EVERY_HOST = without(
                    "J3 every host", "one host ends, and not every one that lost a path")
            .in(
                    JUDGE,
                    "end(on(host), \"is on host",
                    "valid.forEach(each -> effects.kill(each.about.id, \"every\"));\n            end(on(host), \"is on host");

    private static final Mutant NO_HOST_IS_LOST = without(
                    "J4 noj4", "a host of which nothing is heard is lost with its processes")
            .in(JUDGE, "loseHosts(atNs);", "");

    private static final Mutant NOT_VOID = without("J4 novoid", "complaints by or about what is lost are void")
            .in(
                    JUDGE,
                    "subject.killedNs = atNs - timeoutNs;\n            complaints.dropByAndAbout(subject.id);",
                    "subject.killedNs = atNs - timeoutNs;");

    private static final Mutant NOT_ENDED_WHEN_BACK = without(
                    "J4 nokillback", "what is lost is ended when the agent of its host is heard again")
            .in(JUDGE, "endLost(atNs);", "");

    private static final Mutant NEVER_DEAD = without(
                    "V15 noleasedeath", "the end of its lease is the death of what is lost")
            .in(GRANTED, "return from != null && nowNs - from >= countedNs(leaseNs);", "return false;");

    private static final Mutant DEAD_TOO_EARLY = without(
                    "V15 leaseearly", "a lease ends for its holder before it ends for the coordinator")
            .in(GRANTED, "nowNs - from >= countedNs(leaseNs)", "nowNs - from >= leaseNs / 2");

    private static final Mutant UNANSWERED = without("V15 nolocal", "a keep-alive counts once it was answered")
            .in(HELD, "lastSentNs = nowNs;", "lastSentNs = nowNs;\n        fromNs = nowNs;");

    private static final Mutant NO_MAJORITY_NEEDED = without(
                    "J4 minority",
                    "a launcher that reaches too few members holds none of the others for failed, and ends")
            .in(SIDE, "return 2 * reached > members;", "return true;");

    private static final Mutant COUNTED_ONE_BY_ONE = without(
                    "J4 together", "hosts that are silent are counted together before the first of them is lost")
            .in(JUDGE, "!isMinority(unheard(atNs), gone)", "!isMinority(gone, gone)");

    private static final Mutant HALF_IS_ENOUGH = without("J4 half", "of two equal halves none goes on")
            .in(SIDE, "2 * reached > members", "2 * reached >= members");

    private static final Mutant NEVER_MARKED = without(
                    "majority nomark", "without the launcher, what stays silent is marked all the same")
            .in(UNJUDGED, "due.add(process);", "");

    private static final Mutant MARKED_BESIDE_THE_LAUNCHER = without(
                    "majority marknow", "a silence is marked by its observer only once the launcher is lost")
            .in(UNJUDGED, "if (isLauncherLost) {\n            sinceNs.forEach", "{\n            sinceNs.forEach");

    private HostsMutants() {}

    static List<Trial> trials() {
        return List.of(
                world(MARKED_AT_ONCE, "hosts-cut", "6..6", "lost healthy ranks"),
                world(EDGES_OF_PROCESSES, "hosts-cut", "6..6", "lost healthy ranks"),
                world(EVERY_HOST, "hosts-cut", "6..6", "lost healthy ranks"),
                world(NO_HOST_IS_LOST, "hosts-off", "2..4", "one side goes on"),
                world(NOT_VOID, "hosts-off", "2..4", "one side goes on"),
                world(NOT_ENDED_WHEN_BACK, "hosts-back", "2..4", "one side goes on"),
                world(NEVER_DEAD, "hosts-power", "2..4", "one side goes on"),
                world(DEAD_TOO_EARLY, "hosts-off", "2..4", "is told dead and can run"),
                world(UNANSWERED, "hosts-off", "2..4", "is told dead and can run"),
                world(NO_MAJORITY_NEEDED, "majority-hosts", "2..6", "one majority goes on"),
                world(HALF_IS_ENOUGH, "majority-hosts", "2..6", "one majority goes on"),
                world(COUNTED_ONE_BY_ONE, "majority-hosts", "3..6", "found itself in the minority"),
                world(NEVER_MARKED, "majority-hosts", "2..6", "one majority goes on"),
                world(MARKED_BESIDE_THE_LAUNCHER, "majority-hosts", "4..6", "lost healthy ranks"));
    }

    private static Trial world(Mutant mutant, String scenario, String ranks, String broken) {
        return new Trial(mutant, Trial.Where.SEEDS, scenario, ranks, 500, List.of(broken));
    }
}
