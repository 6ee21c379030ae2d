package org.ulfmj.runtime.inject;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What a rule does, by the word that begins it. */
public enum FaultAction {
    /** SIGKILL, by the launcher. */
    KILL(Actor.LAUNCHER, true, "inc"),
    /** The rank ends with a code, at once and without a goodbye. */
    EXIT(Actor.RANK, true, "inc", "code"),
    /** The rank calls abort, which ends the job. */
    ABORT(Actor.RANK, true, "inc", "code"),
    /** SIGTERM, by the launcher. */
    TERM(Actor.LAUNCHER, true, "inc"),
    /** SIGSTOP, and SIGCONT when it is over, by the launcher. */
    STOP(Actor.LAUNCHER, false, "inc"),
    /** No thread of the library runs: neither messages nor heartbeats leave, as in a long collection of garbage. */
    PAUSE(Actor.RANK, false, "inc"),
    /** The program's threads stand at their next call; heartbeats go on. */
    HANG(Actor.RANK, false, "inc"),
    /** Each call of the program takes longer. */
    SLOW(Actor.RANK, false, "inc", "ms"),
    /** The rank runs out of memory. */
    OOM(Actor.RANK, true, "inc"),
    /** Connections are reset; what was unread or unsent is lost with them. */
    RESET(Actor.LINK, false, "ms", "n"),
    /** Nothing passes, and no end tells. */
    BLACKHOLE(Actor.LINK, false),
    /** Frames get lost. */
    DROP(Actor.LINK, false, "p", "n"),
    /** Bytes arrive later. */
    DELAY(Actor.LINK, false, "ms", "p"),
    /** Frames arrive twice. */
    DUP(Actor.LINK, false, "p", "n"),
    /** Frames arrive in another order. */
    REORDER(Actor.LINK, false, "p", "n"),
    /** No more than a number of bytes pass in a second. */
    THROTTLE(Actor.LINK, false, "rate"),
    /** A bit of a frame's headers arrives wrong. */
    CORRUPT(Actor.LINK, false, "p", "n"),
    /** No new connection is made; those that stand stay. */
    REFUSE(Actor.LINK, false),
    /** The launcher's rendezvous and store do not answer. */
    STORE_PAUSE(Actor.LAUNCHER_ITSELF, false),
    /** Nothing passes between hosts, neither of ranks nor of agents, and no end tells. */
    PARTITION(Actor.HOSTS, false),
    /** SIGKILL to the agent of a host, by itself at the launcher's word. */
    AGENT_KILL(Actor.LAUNCHER_ITSELF, true),
    /** SIGKILL to the launcher. */
    LAUNCHER_KILL(Actor.LAUNCHER_ITSELF, true),
    /** Faults to be drawn before the launch. */
    RANDOM(Actor.SEED, false, "max", "keep", "rate", "of", "ms");

    /** What carries an action out. */
    public enum Actor {
        LAUNCHER,
        RANK,
        LINK,
        /** All that is at either end of a path between hosts. */
        HOSTS,
        LAUNCHER_ITSELF,
        SEED
    }

    private final Actor actor;
    private final boolean isEnd;
    private final List<String> arguments;

    FaultAction(Actor actor, boolean isEnd, String... arguments) {
        this.actor = actor;
        this.isEnd = isEnd;
        this.arguments = List.of(arguments);
    }

    /** What carries it out. */
    public Actor actor() {
        return actor;
    }

    /** Whether it is meant for a rank. */
    public boolean isOfRank() {
        return actor == Actor.LAUNCHER || actor == Actor.RANK;
    }

    /** Whether it is meant for hosts, which its rule names. */
    boolean isOfHosts() {
        return actor == Actor.HOSTS || this == AGENT_KILL;
    }

    /** Whether it ends the process that it hits. */
    public boolean isEnd() {
        return isEnd;
    }

    /** Whether it may have a separate end, behind two dots. */
    boolean mayLast() {
        return !isEnd;
    }

    /** The names of what may stand behind its target. */
    List<String> arguments() {
        return arguments;
    }

    /** The word of a rule. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns the action of a word; null if there is none. */
    static FaultAction of(String word) {
        for (FaultAction action : values()) {
            if (action.word().equals(word)) {
                return action;
            }
        }
        return null;
    }

    static List<String> words() {
        List<String> words = new ArrayList<>();
        for (FaultAction action : values()) {
            words.add(action.word());
        }
        return words;
    }
}
