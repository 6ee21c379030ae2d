package org.ulfmj.launch.host;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.ulfmj.launch.process.RankProcess;

/** Notes what a death watch has reported, in words. */
final class NotedFindings implements DeathWatch.Findings {
    /** Ends of processes. */
    final BlockingQueue<String> all = new LinkedBlockingQueue<>();
    /** States of processes that stand still. */
    final BlockingQueue<String> looks = new LinkedBlockingQueue<>();

    @Override
    public void died(RankProcess process, int exitCode) {
        all.add("died " + process.name() + ", " + exitCode);
    }

    @Override
    public void ended(RankProcess process, int exitCode) {
        all.add("ended " + process.name() + ", " + exitCode);
    }

    @Override
    public void unreaped(RankProcess process) {
        all.add("unreaped " + process.name());
    }

    @Override
    public void looked(RankProcess process, char state, boolean isKillPending) {
        looks.add(state + (isKillPending ? " killed" : ""));
    }
}
