package org.ulfmj.check.exhaustive.link;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.ulfmj.check.exhaustive.Fingerprint;
import org.ulfmj.sim.Violation;

/**
 * Visits the states of a small world of links, those with the fewest steps before them first, up to the first broken
 * property. To go on from a state, its history is run again from the beginning. Durations are no part of a state: of a
 * moment counts only whether it has come.
 */
final class LinkSearch {
    /** A schedule: its last step, and the schedule before that step; both are null for the empty schedule. */
    private record Path(Path before, LinkStep last, int length) {
        List<LinkStep> steps() {
            List<LinkStep> steps = new ArrayList<>(length);
            for (Path at = this; at.last != null; at = at.before) {
                steps.add(at.last);
            }
            Collections.reverse(steps);
            return steps;
        }
    }

    private final LinkSmall world;
    private final long mostStates;
    private LinkPair pair;
    private final Fingerprint fingerprint = new Fingerprint(() -> pair.nowNs());
    /** The number of each state, in the order in which they were found. */
    private final Map<Fingerprint.Row, Integer> states = new LinkedHashMap<>();

    private final List<Path> paths = new ArrayList<>();
    private final Circles circles = new Circles();
    private final ArrayDeque<Path> open = new ArrayDeque<>();
    private String broken = "";
    private Path brokenBy;
    private long ends;
    private int depth;

    LinkSearch(LinkSmall world, long mostStates) {
        this.world = world;
        this.mostStates = mostStates;
    }

    LinkSearch run() {
        visit(new Path(null, null, 0), -1);
        for (int number = 0; !open.isEmpty() && broken.isEmpty(); number++) {
            Path path = open.poll();
            depth = path.length();
            List<LinkStep> steps = again(path).steps();
            if (steps.isEmpty()) {
                ends++;
            }
            for (int i = 0; i < steps.size() && broken.isEmpty(); i++) {
                visit(new Path(path, steps.get(i), path.length() + 1), number);
            }
        }
        int inCircle = broken.isEmpty() ? circles.find(states.size()) : -1;
        if (inCircle >= 0) {
            broken = "every schedule ends: a state comes again after itself";
            brokenBy = paths.get(inCircle);
        }
        return this;
    }

    private void visit(Path path, int before) {
        try {
            pair = again(path);
            Integer known = states.putIfAbsent(fingerprint.of(pair), states.size());
            if (before >= 0) {
                circles.step(before, known == null ? states.size() - 1 : known);
            }
            if (known == null) {
                if (states.size() > mostStates) {
                    throw new IllegalStateException(world + " has more than " + mostStates + " states");
                }
                paths.add(path);
                requireEnd(path);
                open.add(path);
            }
        } catch (Violation violation) {
            broken = violation.getMessage();
            brokenBy = path;
        }
    }

    private void requireEnd(Path path) {
        if (pair.steps().isEmpty()) {
            pair.requireRest();
        }
        if (path.length() > world.longest()) {
            throw new Violation("every schedule ends: this one goes on after " + world.longest() + " steps");
        }
    }

    private LinkPair again(Path path) {
        LinkPair fresh = new LinkPair(world);
        path.steps().forEach(fresh::take);
        return fresh;
    }

    long states() {
        return states.size();
    }

    /** How many states have no next step. */
    long ends() {
        return ends;
    }

    /** The largest number of steps on a shortest schedule to a state whose next steps were tried. */
    int depth() {
        return depth;
    }

    /** The broken property; empty if none is. */
    String broken() {
        return broken;
    }

    /** A schedule to the broken property, one line per step, and a line for the property; empty if none is broken. */
    List<String> story() {
        List<String> story = new ArrayList<>();
        if (!broken.isEmpty()) {
            brokenBy.steps().forEach(step -> story.add(String.format("%3d  %s", story.size() + 1, step)));
            story.add("broken: " + broken);
        }
        return story;
    }
}
