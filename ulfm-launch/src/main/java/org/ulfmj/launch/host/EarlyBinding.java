package org.ulfmj.launch.host;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.function.LongUnaryOperator;
import org.ulfmj.launch.process.Binding;
import org.ulfmj.launch.process.RankProcess;
import org.ulfmj.transport.host.ProcessStat;

/**
 * Ends the binding to a core that processes got when they were started. Each process may use all cores some seconds
 * after its start; and all processes may once one of them was seen to leave its core idle after {@link #formed},
 * because another process could use that core. Used by one thread: the launcher's main thread, or that of an agent's
 * line.
 */
public final class EarlyBinding {
    private static final long LENGTH_NS = 4_000_000_000L;
    /**
     * How long after the first release of a process the second follows: threads that were started during the first
     * release may have inherited the binding of a thread that was not released yet.
     */
    private static final long AGAIN_NS = 1_000_000_000;

    private static final long LOOK_NS = 200_000_000;
    /**
     * A process that used less processor time than this between two looks, about a third of the time, left its core
     * idle. In ticks of 10 ms.
     */
    private static final long LEAST_TICKS = 6;

    private final LongUnaryOperator ticksOf;
    private final LongConsumer release;
    private final boolean isEarly;
    private final List<Bound> bound = new ArrayList<>();
    /**
     * When the idle time of the processes is checked next; {@link Long#MAX_VALUE} before the world has formed, and once
     * no check is needed any more.
     */
    private long lookNs = Long.MAX_VALUE;

    private boolean isIdleSeen;

    /** A process that is to be released. */
    private static final class Bound {
        final RankProcess process;
        long releaseNs;
        boolean isReleased;
        long ticks;

        Bound(RankProcess process, long releaseNs, long ticks) {
            this.process = process;
            this.releaseNs = releaseNs;
            this.ticks = ticks;
        }
    }

    public EarlyBinding(Binding binding) {
        this(binding.isEarly(), EarlyBinding::ticksOf, binding::release);
    }

    /**
     * @param isEarly whether processes are bound at their start at all, so that there is something to release
     * @param ticksOf gives the processor time of a process by its pid, in ticks of 10 ms
     * @param release lets the process with this pid use all cores
     */
    EarlyBinding(boolean isEarly, LongUnaryOperator ticksOf, LongConsumer release) {
        this.isEarly = isEarly;
        this.ticksOf = ticksOf;
        this.release = release;
    }

    private static long ticksOf(long pid) {
        ProcessStat stat = ProcessStat.of(pid);
        return stat == null ? 0 : stat.processorTicks();
    }

    /** Notes that a process has been started. If processes are bound at their start, it is released later. */
    public void started(RankProcess process, long nowNs) {
        if (isEarly) {
            long releaseNs = isIdleSeen ? nowNs : nowNs + LENGTH_NS;
            bound.add(new Bound(process, releaseNs, ticksOf.applyAsLong(process.pid())));
        }
    }

    /**
     * The world has formed. From now on it is checked whether processes leave their cores idle. Before that, processes
     * wait for each other and are idle, which is no reason to release them.
     */
    public void formed(long nowNs) {
        if (!bound.isEmpty() && !isIdleSeen) {
            for (Bound each : bound) {
                each.ticks = ticksOf.applyAsLong(each.process.pid());
            }
            lookNs = nowNs + LOOK_NS;
        }
    }

    /** When {@link #tick} has something to do; {@link Long#MAX_VALUE} if it has nothing to do. */
    public long deadlineNs() {
        long deadlineNs = lookNs;
        for (Bound each : bound) {
            deadlineNs = Math.min(deadlineNs, each.releaseNs);
        }
        return deadlineNs;
    }

    /**
     * Looks, if that is due, whether a process has left its core idle; if one has, the time of all processes is over at
     * once. Then releases each process whose time to be bound is over.
     */
    public void tick(long nowNs) {
        if (nowNs >= lookNs) {
            look(nowNs);
        }
        for (int i = bound.size() - 1; i >= 0; i--) {
            Bound each = bound.get(i);
            if (nowNs >= each.releaseNs) {
                release(each, nowNs);
            }
        }
        if (bound.isEmpty()) {
            lookNs = Long.MAX_VALUE;
        }
    }

    private void look(long nowNs) {
        boolean isIdle = false;
        for (Bound each : bound) {
            long ticks = ticksOf.applyAsLong(each.process.pid());
            isIdle |= ticks - each.ticks < LEAST_TICKS;
            each.ticks = ticks;
        }
        lookNs = nowNs + LOOK_NS;
        if (isIdle) {
            isIdleSeen = true;
            lookNs = Long.MAX_VALUE;
            for (Bound each : bound) {
                each.releaseNs = Math.min(each.releaseNs, nowNs);
            }
        }
    }

    private void release(Bound each, long nowNs) {
        if (!each.process.hasEnded()) {
            release.accept(each.process.pid());
        }
        if (each.isReleased || each.process.hasEnded()) {
            bound.remove(each);
        } else {
            each.isReleased = true;
            each.releaseNs = nowNs + AGAIN_NS;
        }
    }
}
