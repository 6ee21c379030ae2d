package org.ulfmj.runtime.inject;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The kinds of faults that a rule of {@code --inject} can name, by the word that begins the rule. */
public enum FaultAction {
    /** SIGKILL, by the launcher. */
    KILL(Actor.LAUNCHER, true, "inc"),
    /** The rank's process ends itself with an exit code, at once and without a goodbye. */
    EXIT(Actor.RANK, true, "inc", "code"),
    /** The rank calls abort, which ends the job. */
    ABORT(Actor.RANK, true, "inc", "code"),
    /** SIGTERM, by the launcher. */
    TERM(Actor.LAUNCHER, true, "inc"),
    /** The launcher stops the rank by SIGSTOP, and lets it go on by SIGCONT at the end of the fault. */
    STOP(Actor.LAUNCHER, false, "inc"),
    /**
     * For some time a thread of the library holds the rank's engine lock: no call of MPI goes on, and no heartbeat
     * leaves, as in a long garbage collection.
     */
    PAUSE(Actor.RANK, false, "inc"),
    /** The program's threads stop at their next call of MPI until the fault ends; heartbeats go on. */
    HANG(Actor.RANK, false, "inc"),
    /** Each call of the program takes longer. */
    SLOW(Actor.RANK, false, "inc", "ms"),
    /** The rank runs out of memory. */
    OOM(Actor.RANK, true, "inc"),
    /** Connections of the link are reset; what was unread or unsent is lost with them. */
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
    /** At most a given number of bytes per second arrive over the link, in each direction that the rule is for. */
    THROTTLE(Actor.LINK, false, "rate"),
    /** What is sent arrives with a wrong bit. */
    CORRUPT(Actor.LINK, false, "p", "n"),
    /** No new connection is made on the link; existing ones stay. */
    REFUSE(Actor.LINK, false),
    /** The launcher does not answer requests to its rendezvous and its store. */
    STORE_PAUSE(Actor.LAUNCHER_ITSELF, false),
    /**
     * Nothing passes between groups of hosts, in both directions or one, neither of ranks nor of agents, and no end is
     * told.
     */
    PARTITION(Actor.HOSTS, false),
    /** The agent of a host kills itself by SIGKILL when the launcher tells it to. */
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
        /** The ranks and agents at both ends of a path between hosts. */
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

    /** Whether the targets of a rule with this action are hosts or their agents, and not ranks or links. */
    boolean isOfHosts() {
        return actor == Actor.HOSTS || this == AGENT_KILL;
    }

    /** Whether the action is meant to end the process that it hits. */
    public boolean isEnd() {
        return isEnd;
    }

    /** Whether a rule with this action may say, behind two dots, when the fault ends. */
    boolean mayLast() {
        return !isEnd;
    }

    /** The names of the arguments that may stand behind the target of this action. */
    List<String> arguments() {
        return arguments;
    }

    /** The word of a rule. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns the action that a word of a rule names; null if there is none. */
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
