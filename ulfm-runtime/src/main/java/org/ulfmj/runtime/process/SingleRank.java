package org.ulfmj.runtime.process;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.runtime.RankBinding;
import org.ulfmj.runtime.RankRuntime;
import org.ulfmj.runtime.SilentHooks;
import org.ulfmj.runtime.leave.Preemption;
import org.ulfmj.runtime.member.RankIdentity;
import org.ulfmj.runtime.options.Options;
import org.ulfmj.runtime.store.StoreLine;
import org.ulfmj.transport.auth.JobSecret;
import org.ulfmj.transport.local.LocalHub;

/**
 * The rank of a program that was started without {@code mpiexec}: the only rank of a job, with no other rank to talk
 * to.
 */
final class SingleRank extends SilentHooks {
    private static final ProcessId ME = ProcessId.of(0);

    private final long graceNs;
    private RankRuntime runtime;
    private StoreLine store;

    private SingleRank(long graceNs) {
        this.graceNs = graceNs;
    }

    /** @throws IllegalStateException if the environment or a system property holds a wrong option */
    static RankBinding start(Map<String, String> environment) {
        Options options;
        try {
            Map<String, String> settings = new TreeMap<>(Options.fromEnvironment(environment));
            settings.putAll(Options.fromProperties(System.getProperties()));
            options = Options.of(settings);
        } catch (IllegalArgumentException wrong) {
            throw new IllegalStateException(wrong.getMessage(), wrong);
        }
        RankIdentity identity =
                new RankIdentity(ME, Membership.initial(1), JobSecret.random().bytes());
        RankRuntime runtime = RankRuntime.create(
                identity,
                new LocalHub(1).fabric(0),
                SystemClock.INSTANCE,
                options.rankSettings(1, false, List.of()),
                new SingleRank(options.graceNs()));
        return new RankBinding(runtime, options.initialErrhandler(), options);
    }

    @Override
    public StoreLine store() {
        if (store == null) {
            store = OwnStore.of(ME);
        }
        return store;
    }

    @Override
    public void onStart(RankRuntime rank) {
        runtime = rank;
    }

    @Override
    public void watchForSignals() {
        RawSignal.watch(runtime);
    }

    @Override
    public boolean watchForPreemption(Preemption preemption) {
        return ProcessEnd.watchForPreemption(preemption, graceNs);
    }

    @Override
    public void onLeft(int code) {
        ProcessEnd.left(code);
    }

    @Override
    public void onFenced(String reason) {
        ProcessEnd.fenced(ME, reason);
    }

    @Override
    public void onAbort(int code, String reason) {
        ProcessEnd.aborted(code);
    }

    @Override
    public void onBroken(Throwable cause) {
        ProcessEnd.broken(ME, cause);
    }

    @Override
    public void onFaultPoint(int rule) {
        ProcessEnd.killed();
    }
}
