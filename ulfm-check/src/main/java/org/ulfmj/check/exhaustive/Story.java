package org.ulfmj.check.exhaustive;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Writes a schedule as aligned lines: the rank, the event, the other rank, and the message. */
final class Story {
    private final World world;
    private final LocalStates local;
    private final List<String> lines = new ArrayList<>();

    /** The calls that have returned in the lines written so far. */
    private final List<String> returned = new ArrayList<>();

    private final int[] acts;
    private int count;

    Story(World world, LocalStates local) {
        this.world = world;
        this.local = local;
        this.acts = new int[world.ranks()];
    }

    /** @param step the effect of the event on the rank; null if the rank died without an event */
    void add(Explorer.Happening happening, LocalStates.Step step) {
        count++;
        int rank = happening.rank();
        if (step == null) {
            line(Integer.toString(count), rank, "dies", "", "");
            return;
        }
        LocalEvent event = LocalEvent.of(happening.event());
        String other = isAboutAnother(event.what()) ? Integer.toString(event.other()) : "";
        line(Integer.toString(count), rank, verb(event.what()), other, detail(rank, event));
        for (int i = 0; i < step.to().length; i++) {
            if (i == happening.cut()) {
                line("", rank, "dies", "", "before it sends the rest:");
            }
            line("", rank, "  sends", Integer.toString(step.to()[i]), local.message(step.messages()[i]));
        }
        if (step.next() == LocalStates.FENCED) {
            line("", rank, "fences", "", "itself");
        } else if (happening.cut() < 0 && step.next() > LocalStates.EXITED && step.broken() == null) {
            local.view(step.next()).facts().decisions().forEach((call, decision) -> {
                if (event.what() != LocalEvent.What.EXITS && isNew(rank, call)) {
                    line("", rank, "  returns", "", "agreement " + call.sequence() + ": " + decision);
                }
            });
        }
    }

    private boolean isNew(int rank, Facts.Call call) {
        String name = rank + " " + call;
        return !returned.contains(name) && returned.add(name);
    }

    void add(String broken) {
        lines.add("broken: " + broken);
    }

    List<String> lines() {
        return List.copyOf(lines);
    }

    private String detail(int rank, LocalEvent event) {
        switch (event.what()) {
            case GETS:
                return local.message(event.detail()).toString();
            case CALLS:
                return world.program().get(acts[rank]++)
                        + (event.detail() == 1 ? " with all that it knows acknowledged" : "");
            case REVOKES:
                return ExhaustiveRank.revocable(world) == ExhaustiveRank.MADE
                        ? "the first communicator that the program makes"
                        : "COMM_WORLD";
            case BUILDS:
                return "the communicator that was agreed on";
            default:
                return "";
        }
    }

    private static boolean isAboutAnother(LocalEvent.What what) {
        switch (what) {
            case CALLS, BUILDS, REVOKES, EXITS:
                return false;
            default:
                return true;
        }
    }

    private static String verb(LocalEvent.What what) {
        return what.name().toLowerCase(Locale.ROOT);
    }

    private void line(String number, int rank, String verb, String other, Object detail) {
        lines.add(String.format(Locale.ROOT, "%3s %3d  %-10s %3s  %s", number, rank, verb, other, detail)
                .stripTrailing());
    }
}
