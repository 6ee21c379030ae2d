package org.ulfmj.testkit.sim;

import java.util.ArrayDeque;
import java.util.Deque;
import org.ulfmj.rendezvous.RendezvousMessage;
import org.ulfmj.testkit.launcher.RankLine;

/**
 * The connection between a process of a {@link SimJob} and its launcher. Messages take time on it, and none overtakes
 * another. Needs the baton.
 */
final class SimWire implements Runnable {
    private final SimJob job;
    private final SimLauncher launcher;
    private final RankLine line;
    private final Deque<RendezvousMessage> down = new ArrayDeque<>();

    /** The state letter of the process when it stands still. */
    final char letter;

    private final SimRank rank;
    private long upNs;
    private long downNs;
    private long lostNs = Long.MAX_VALUE;

    SimWire(SimJob job, SimLauncher launcher, RankLine line, char letter) {
        this.job = job;
        this.launcher = launcher;
        this.line = line;
        this.letter = letter;
        this.rank = new SimRank(job, this, line.me().id(), job.size());
    }

    RankLine line() {
        return line;
    }

    /** Returns the rank of the process; the process may not have begun yet. */
    SimRank rank() {
        return rank;
    }

    /** From this time on no message of the launcher arrives. */
    void loseAt(long timeNs) {
        lostNs = timeNs;
    }

    long lostNs() {
        return lostNs;
    }

    /** The time at which all messages of the launcher under way have arrived. */
    long downNs() {
        return downNs;
    }

    void up(RendezvousMessage message) {
        if (!launcher.hasEnded() && !rank.hasEnded()) {
            upNs = Math.max(upNs + 1, job.nowNs() + launcher.wordNs());
            job.at(upNs, () -> launcher.hear(this, message));
        }
    }

    void down(RendezvousMessage message) {
        down.addLast(message);
        downNs = Math.max(downNs + 1, job.nowNs() + launcher.wordNs());
        job.at(downNs, this);
    }

    /** Delivers the next message, or lets it wait because the process stands still. */
    @Override
    public void run() {
        if (rank.isPaused(this)) {
            return;
        }
        RendezvousMessage message = down.removeFirst();
        boolean isLost = job.nowNs() >= lostNs || launcher.abortCode() != null;
        if (isLost || job.isOver() || rank.hasEnded()) {
            return;
        }
        String news = nameOf(message);
        job.note(SimJournal.Kind.NEWS, rank, news.hashCode(), news);
        if (line.take(message)) {
            job.begin(rank);
        } else {
            rank.poll();
        }
    }

    private static String nameOf(RendezvousMessage message) {
        if (message instanceof RendezvousMessage.Death death) {
            return "death of rank " + death.process();
        }
        if (message instanceof RendezvousMessage.Departed departed) {
            return "departure of rank " + departed.process();
        }
        if (message instanceof RendezvousMessage.Pending pending) {
            return "rank " + pending.member().id() + " waits";
        }
        if (message instanceof RendezvousMessage.NoMore none) {
            return "rank " + none.slot() + " is not started again";
        }
        return message.getClass().getSimpleName();
    }
}
