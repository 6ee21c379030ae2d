package org.ulfmj.rabit;

import java.util.Map;
import java.util.WeakHashMap;

/**
 * A thread that looks from time to time at the calls of all ranks of this process, and ends a call that has waited too
 * long. A waiting call does not check that itself, because it would cost every call some time. Thread-safe.
 *
 * <p>Time in which this process itself stood still does not count: an answer may have come meanwhile, so no other rank
 * can be blamed. This thread notices such a time by looking later than it planned. Of the time between two looks at
 * most twice the planned pause counts.
 */
final class Deadlines implements Runnable {
    /**
     * The pause between two looks is the shortest timeout divided by this number, within the two bounds that follow.
     */
    private static final int LOOKS_A_TIMEOUT = 8;

    private static final long SHORTEST_PAUSE_MS = 5;
    private static final long LONGEST_PAUSE_MS = 1_000;

    private static final Map<Session, Watched> WATCHED = new WeakHashMap<>();
    private static boolean started;
    /** When this thread last looked at the calls. {@link #pauseNs} is how long it planned to pause after that. */
    private static long lookedNs;

    private static long pauseNs;

    /** The call in which a session's rank was seen to wait at the last look, and from when on the wait counts. */
    private static final class Watched {
        private long call;
        private long sinceNs;
    }

    private Deadlines() {}

    static void watch(Session session) {
        synchronized (WATCHED) {
            WATCHED.put(session, new Watched());
            if (!started) {
                started = true;
                Thread thread = new Thread(new Deadlines(), "rabit-deadlines");
                thread.setDaemon(true);
                thread.start();
            }
            WATCHED.notifyAll();
        }
    }

    static void forget(Session session) {
        synchronized (WATCHED) {
            WATCHED.remove(session);
        }
    }

    @Override
    public void run() {
        synchronized (WATCHED) {
            lookedNs = System.nanoTime();
            while (true) {
                try {
                    WATCHED.wait(look(System.nanoTime()));
                } catch (InterruptedException e) {
                    return;
                }
            }
        }
    }

    /**
     * Looks at the waiting calls of the watched sessions, one per rank of this process, and gives up those that have
     * waited too long. Returns the milliseconds until the next look. The caller holds the lock of {@link #WATCHED}.
     */
    private static long look(long nowNs) {
        long stallNs = stall(nowNs - lookedNs, pauseNs);
        lookedNs = nowNs;
        long pauseMs = LONGEST_PAUSE_MS;
        for (Map.Entry<Session, Watched> entry : WATCHED.entrySet()) {
            Session session = entry.getKey();
            Watched watched = entry.getValue();
            long timeoutNs = session.settings().timeoutNs();
            long call = session.waitingCall();
            if (call != watched.call || call == Session.NO_CALL) {
                watched.call = call;
                watched.sinceNs = nowNs;
            } else {
                watched.sinceNs += stallNs;
                if (nowNs - watched.sinceNs > timeoutNs) {
                    watched.sinceNs = nowNs;
                    session.giveUp();
                }
            }
            pauseMs = Math.min(pauseMs, timeoutNs / LOOKS_A_TIMEOUT / 1_000_000);
        }
        pauseMs = Math.max(pauseMs, SHORTEST_PAUSE_MS);
        pauseNs = pauseMs * 1_000_000;
        return pauseMs;
    }

    /** How much of the time since the last look counts as a standstill of this process: all but two planned pauses. */
    static long stall(long sinceLookNs, long meantNs) {
        return Math.max(0, sinceLookNs - 2 * meantNs);
    }
}
