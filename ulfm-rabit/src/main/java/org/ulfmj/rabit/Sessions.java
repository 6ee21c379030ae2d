package org.ulfmj.rabit;

import org.ulfmj.runtime.RankBinding;
import org.ulfmj.runtime.RankRuntime;
import org.ulfmj.runtime.options.LaunchEnvironment;

/** Finds the {@link Session} of the calling thread's rank, and opens it. */
final class Sessions {
    private static final ThreadLocal<Session> LATEST = new ThreadLocal<>();

    private Sessions() {}

    static void open(String[] args) {
        if (MpiRank.get().binding() == null && LaunchEnvironment.isSpare(System.getenv())) {
            RecoveryRehearsal.play(); // a spare waits in the next call, and no rank waits for this rank yet
        }
        RankRuntime runtime = MpiRank.get().join("Rabit.init");
        RankBinding binding = MpiRank.get().binding();
        Session known = currentOrNull();
        if (known != null) {
            throw new IllegalStateException("Rabit.init: this rank is "
                    + (known.isClosed() ? "shut down" : "initialized")
                    + " already; a process without mpiexec is so from its first operation on");
        }
        Session session = new Session(binding, runtime, RabitSettings.of(binding.options(), args));
        binding.extend(session);
        LATEST.set(session);
        Deadlines.watch(session);
        session.join();
    }

    /** @throws IllegalStateException before init and after shutdown */
    static Session current(String call) {
        Session session = currentOrNull();
        if (session == null || session.isClosed()) {
            throw new IllegalStateException(
                    "Rabit." + call + (session == null ? " before Rabit.init" : " after shutdown"));
        }
        return session;
    }

    /**
     * Returns the open session of the calling rank for a call of {@link Rabit}, and throws if there is none. A process
     * that is known to belong to no job of several ranks becomes a world of one rank, if {@code init} was not called.
     */
    static Session opened(String call) {
        Session session = currentOrNull();
        if (session != null && !session.isClosed()) {
            return session;
        }
        if (session == null && isWithoutJob()) {
            open(new String[0]);
        }
        return current(call);
    }

    /**
     * Whether this process is known to belong to no job of several ranks. Ranks of such a job that went on without
     * init, each for itself, would all come to wrong results without an error.
     */
    private static boolean isWithoutJob() {
        RankBinding binding = MpiRank.get().binding();
        return binding == null
                ? !LaunchEnvironment.isLaunched(System.getenv())
                : binding.runtime().world().size() == 1;
    }

    /** The session of the calling rank; null before init. */
    static Session currentOrNull() {
        RankBinding binding = MpiRank.get().binding();
        Session latest = LATEST.get();
        if (latest != null && latest.binding() == binding) {
            return latest;
        }
        Session session = binding == null ? null : (Session) binding.extension();
        if (session != null) {
            LATEST.set(session);
        }
        return session;
    }
}
