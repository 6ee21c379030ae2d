package org.ulfmj.check.rendezvous.store;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.ulfmj.rendezvous.store.StoreRequest;
import org.ulfmj.rendezvous.store.StoreResult;
import org.ulfmj.sim.Invariant;
import org.ulfmj.sim.Simulation;
import org.ulfmj.sim.Violation;

/**
 * At rest every request of a process that lives is answered, except those of watches, and all watches of live processes
 * know the same values. Each addition whose sum is read was carried out once, or at most once if it got no answer. To
 * check that, the first process reads the sums, as many as the limit of unanswered requests allows.
 */
final class EveryRequestIsAnswered implements Invariant {
    private final Simulation world;
    private final List<Caller> callers;
    private final List<Follower> followers;
    private final List<Asked> additions = new ArrayList<>();
    private List<Asked> readings;

    EveryRequestIsAnswered(Simulation world, List<Caller> callers, List<Follower> followers) {
        this.world = world;
        this.callers = callers;
        this.followers = followers;
    }

    /**
     * Begins to read the sums once every request of a process that lives is answered, except those of watches, and
     * these watches are up to date; after 3 s of virtual time at the earliest.
     */
    void look() {
        if (readings != null || world.nowNs() < 3_000_000_000L || unanswered() != null) {
            return;
        }
        List<Asked> asked = new ArrayList<>();
        for (Caller caller : callers) {
            for (Asked one : caller.asked()) {
                if (one.request() instanceof StoreRequest.Add) {
                    additions.add(one);
                }
            }
        }
        for (Asked addition : additions) {
            asked.add(callers.get(0).ask(new StoreRequest.Get(((StoreRequest.Add) addition.request()).key(), false)));
            if (asked.get(asked.size() - 1) == null) {
                // The limit of unanswered requests is reached: the remaining sums are not read.
                asked.remove(asked.size() - 1);
                break;
            }
        }
        readings = asked;
    }

    private String unanswered() {
        for (Caller caller : callers) {
            for (Asked one : caller.asked()) {
                if (!caller.hasEnded() && !one.reply().isDone() && !isWatch(one)) {
                    return one + " is not answered";
                }
            }
        }
        for (Follower follower : followers) {
            if (!follower.caller().hasEnded() && !follower.isUpToDate()) {
                return "the watch of " + follower.caller() + " is not up to date";
            }
        }
        return null;
    }

    private boolean isWatch(Asked one) {
        return followers.stream().anyMatch(follower -> follower.follows(one));
    }

    @Override
    public String open() {
        String unanswered = unanswered();
        if (unanswered != null) {
            return unanswered;
        }
        return readings == null ? "the store is not read yet" : null;
    }

    @Override
    public void atEnd() {
        for (int i = 0; i < readings.size(); i++) {
            Asked addition = additions.get(i);
            StoreResult.Found found =
                    (StoreResult.Found) readings.get(i).reply().result();
            String count = new String(found.value(), StandardCharsets.UTF_8);
            boolean isAnswered = addition.reply().isDone() && addition.reply().result() != null;
            if (!(count.equals("1") || count.isEmpty() && !isAnswered)) {
                throw new Violation("each request is carried out once: " + addition + " was, '" + count + "' times");
            }
        }
        SortedMap<String, String> first = null;
        for (Follower follower : followers) {
            if (follower.caller().hasEnded()) {
                continue;
            }
            first = first == null ? new TreeMap<>(follower.known()) : first;
            if (!follower.known().equals(first)) {
                throw new Violation("watches agree in the end: " + follower.known() + " at " + follower.caller()
                        + ", elsewhere " + first);
            }
        }
    }
}
