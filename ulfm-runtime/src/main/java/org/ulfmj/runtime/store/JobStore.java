package org.ulfmj.runtime.store;

import java.util.function.Supplier;
import org.ulfmj.rendezvous.store.StoreReply;
import org.ulfmj.rendezvous.store.StoreRequest;
import org.ulfmj.rendezvous.store.StoreResult;
import org.ulfmj.runtime.progress.Engine;
import org.ulfmj.runtime.progress.Progress;

/**
 * The store of the job as a rank calls it: a call waits for the store's answer until its time limit, or only sends its
 * request ({@link #begin}). Any thread may call. The object is made at its first use, as few programs need it.
 */
public final class JobStore {
    /** Tells how the store is reached. */
    public interface Access {
        /** Returns the way to the store of the job; null if the rank has no store. */
        default StoreLine store() {
            return null;
        }

        /** Why there is no {@link #store}, in words. */
        default String whyNoStore() {
            return "this rank has no launcher, and so no store";
        }
    }

    private final Engine engine;
    private final Progress progress;
    private final Supplier<TimedWaits> timed;
    private final Access access;

    /** @param timed gives the rank's waits for the store; called under the engine lock */
    public JobStore(Engine engine, Progress progress, Supplier<TimedWaits> timed, Access access) {
        this.engine = engine;
        this.progress = progress;
        this.timed = timed;
        this.access = access;
    }

    /**
     * Sends a request and waits for the answer. If the time is over while the store still holds the request waiting,
     * the request is withdrawn.
     *
     * @throws StoreFault if there is no answer
     */
    public StoreResult ask(StoreRequest request, long timeoutNs) {
        long untilNs = untilNs(timeoutNs);
        StoreReply reply = begin(request, untilNs);
        boolean isAnswered = false;
        try {
            isAnswered = await(request, reply, untilNs);
        } finally {
            if (!isAnswered) {
                withdraw(reply);
            }
        }
        if (!isAnswered) {
            throw new StoreFault(
                    StoreFault.Kind.TIMEOUT, "no answer of the store within " + timeoutNs / 1_000_000 + " ms");
        }
        return result(reply);
    }

    /** Returns the time, on the engine's clock, at which a call that begins now with this time limit must end. */
    public long untilNs(long timeoutNs) {
        // The limit is cut to some centuries, which is enough: so the difference of two times does not overflow.
        return engine.nowNs() + Math.min(timeoutNs, Long.MAX_VALUE / 4);
    }

    /**
     * Sends a request, and returns without its answer. Waits first while too many requests of this process are not
     * answered.
     *
     * @throws StoreFault if the time is over before the request could be sent, or this rank has no store
     */
    public StoreReply begin(StoreRequest request, long untilNs) {
        engine.enter();
        try {
            StoreLine line = line();
            StoreReply reply = line.ask(request);
            while (reply == null) {
                if (!await(new StoreWait(line, request, null, engine::nowNs, untilNs))) {
                    throw new StoreFault(
                            StoreFault.Kind.TIMEOUT,
                            "the time of the call was over before the request could be sent: too many requests of this"
                                    + " process are not answered");
                }
                reply = line.ask(request);
            }
            return reply;
        } finally {
            engine.leave();
        }
    }

    /**
     * Waits for an answer of the store.
     *
     * @param request names the wait in reports
     * @return false if the time ends before the answer comes
     */
    public boolean await(StoreRequest request, StoreReply reply, long untilNs) {
        engine.enter();
        try {
            return await(new StoreWait(line(), request, reply, engine::nowNs, untilNs));
        } finally {
            engine.leave();
        }
    }

    private boolean await(StoreWait wait) {
        timed.get().begin(wait);
        try {
            progress.await(wait);
        } finally {
            timed.get().end(wait);
        }
        return wait.isAnswered();
    }

    /** Returns the answer of the store that has come; throws if it is known that no answer will come. */
    public StoreResult result(StoreReply reply) {
        if (reply.result() == null) {
            throw new StoreFault(StoreFault.Kind.UNKNOWN, reply.unknownBecause());
        }
        return reply.result();
    }

    /** Asks the store to answer a request now, if the store still holds it waiting and this rank still runs. */
    public void withdraw(StoreReply reply) {
        engine.lock().lock();
        try {
            if (!engine.isOver()) {
                line().withdraw(reply);
            }
        } finally {
            engine.lock().unlock();
        }
    }

    private StoreLine line() {
        StoreLine line = access.store();
        if (line == null) {
            throw new StoreFault(StoreFault.Kind.NO_STORE, access.whyNoStore());
        }
        return line;
    }
}
