package mpi;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.ulfmj.rendezvous.store.StoreLimits;
import org.ulfmj.rendezvous.store.StoreRequest;
import org.ulfmj.rendezvous.store.StoreResult;
import org.ulfmj.runtime.error.CallError;
import org.ulfmj.runtime.store.JobStore;
import org.ulfmj.runtime.store.StoreFault;

/**
 * The store of the job: values under keys, which all ranks of the job share and which outlive every rank. The launcher
 * keeps it; in a program that was started without {@code mpiexec}, the process. From {@link MPI#store}.
 *
 * <p>It is for small control values: an address, a decision, a counter, how far a job has come. It is no data path:
 * every call is a round trip to the launcher, and the launcher serves all ranks on one thread. Messages and collective
 * operations are for data.
 *
 * <p>Keys have 1 to 1,024 bytes in UTF-8, values up to 1 MiB, and a job up to 64 MiB in all; what exceeds that is
 * refused with a {@link StoreException}. Keys that begin with {@code ulfm.} are the library's: a program may read and
 * watch them, and is refused to change them.
 *
 * <p>Each change has a version, which counts all changes of the store and is never given twice, also not after a
 * deletion. Every request is carried out at most once, also if the connection to the launcher breaks and is made anew
 * meanwhile. If a rank dies, what it has changed stays; what it was waiting for is dropped.
 *
 * <p>Any thread may call. Every call but {@link #watch} and {@link #withTimeout} waits for the store's answer and ends
 * at the latest when its time is over, which is 30 s unless {@link #withTimeout} or the call sets another one; then,
 * and when the launcher is lost, it throws a {@link StoreException}. No error handler is asked. After
 * {@link MPI#Finalize} every call but {@link #withTimeout} throws an {@link MPIException} of class
 * {@link MPI#ERR_OTHER}.
 */
public final class Store {
    private static final long TIMEOUT_NS = 30_000_000_000L;

    private final Rank rank;
    private final long timeoutNs;

    Store(Rank rank) {
        this(rank, TIMEOUT_NS);
    }

    private Store(Rank rank, long timeoutNs) {
        this.rank = rank;
        this.timeoutNs = timeoutNs;
    }

    /**
     * Returns the same store with another time for each call.
     *
     * @throws StoreException if the time is not positive
     */
    public Store withTimeout(long time, TimeUnit unit) {
        if (time <= 0) {
            throw refused("withTimeout", "a time of " + time + " " + unit + "; allowed: more than 0");
        }
        return new Store(rank, unit.toNanos(time));
    }

    /** Stores a value, in place of an earlier one if there is one. Returns its version. The array is not kept. */
    public long set(String key, byte[] value) {
        requireValue("set", key, value);
        StoreResult result = ask("set", key, new StoreRequest.Set(key, value.clone()), timeoutNs);
        return ((StoreResult.Stored) result).version();
    }

    /** As {@link #set(String, byte[])}, with the text in UTF-8. */
    public long set(String key, String text) {
        return set(key, text == null ? null : text.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns what is stored under a key now; null if nothing is. */
    public StoreEntry get(String key) {
        requireKey("get", key);
        return entry(key, ask("get", key, new StoreRequest.Get(key, false), timeoutNs));
    }

    /**
     * Waits until something is stored under a key, and returns it; at once if it is there.
     *
     * @throws StoreException if nothing was stored within that time ({@link StoreException#isTimeout})
     */
    public StoreEntry waitFor(String key, long time, TimeUnit unit) {
        requireKey("waitFor", key);
        if (time > 0) {
            return entry(key, ask("waitFor", key, new StoreRequest.Get(key, true), unit.toNanos(time)));
        }
        StoreEntry present = entry(key, ask("waitFor", key, new StoreRequest.Get(key, false), timeoutNs));
        if (present == null) {
            String what = "Store.waitFor of '" + key + "': nothing is stored there";
            throw new StoreException(MPI.ERR_OTHER, what, StoreFault.Kind.TIMEOUT);
        }
        return present;
    }

    /**
     * Adds to a number in one step, and returns the sum. The number is stored as decimal text. A key without a value
     * counts as 0.
     *
     * @throws StoreException if something else than a number is stored there, or the sum exceeds 64 bits
     */
    public long add(String key, long amount) {
        requireKey("add", key);
        requireNoRefusal("add", StoreLimits.refusalOfChange(key));
        return ((StoreResult.Sum) ask("add", key, new StoreRequest.Add(key, amount), timeoutNs)).sum();
    }

    /**
     * Stores a value if what is stored there has this version, in one step. Returns whether it did.
     *
     * @param version from {@link StoreEntry#version} or from {@link #set}; 0 if there must be nothing
     */
    public boolean compareAndSet(String key, long version, byte[] value) {
        requireValue("compareAndSet", key, value);
        return compareAndSet(key, version, value, job().untilNs(timeoutNs));
    }

    /**
     * Stores a value if these bytes are stored there, in one step. Returns whether it did.
     *
     * @param expected null if there must be nothing
     */
    public boolean compareAndSet(String key, byte[] expected, byte[] value) {
        requireValue("compareAndSet", key, value);
        long untilNs = job().untilNs(timeoutNs);
        while (true) {
            StoreEntry present =
                    entry(key, ask("compareAndSet", key, new StoreRequest.Get(key, false), leftNs(untilNs)));
            if (!Arrays.equals(present == null ? null : present.value(), expected)) {
                return false;
            }
            // Another change may store the same bytes again, with another version, between the read and this call. Then
            // the call fails, and the next round of the loop finds them.
            if (compareAndSet(key, present == null ? 0 : present.version(), value, untilNs)) {
                return true;
            }
        }
    }

    private boolean compareAndSet(String key, long version, byte[] value, long untilNs) {
        StoreRequest request = new StoreRequest.CompareAndSet(key, version, value.clone());
        return ask("compareAndSet", key, request, leftNs(untilNs)) instanceof StoreResult.Stored;
    }

    private long leftNs(long untilNs) {
        return untilNs - job().untilNs(0);
    }

    /** Deletes a key and its value. Returns whether there was one. */
    public boolean delete(String key) {
        requireKey("delete", key);
        requireNoRefusal("delete", StoreLimits.refusalOfChange(key));
        StoreResult result = ask("delete", key, new StoreRequest.Delete(key), timeoutNs);
        return ((StoreResult.Stored) result).version() > 0;
    }

    /**
     * Returns a watch of all keys that begin with a prefix; the empty prefix is that of all keys. Returns at once. The
     * watch is to be closed.
     */
    public StoreWatch watch(String prefix) {
        enter("Store.watch");
        if (prefix == null) {
            throw refused("watch", "the prefix is null; allowed: a string, also an empty one");
        }
        requireNoRefusal("watch", StoreLimits.refusalOfPrefix(prefix));
        return new StoreWatch(this, prefix);
    }

    private static StoreEntry entry(String key, StoreResult result) {
        StoreResult.Found found = (StoreResult.Found) result;
        return found.version() == 0 ? null : new StoreEntry(key, found.version(), found.value());
    }

    private void requireKey(String call, String key) {
        enter("Store." + call);
        if (key == null) {
            throw refused(call, "the key is null; allowed: a string");
        }
        requireNoRefusal(call, StoreLimits.refusalOfKey(key));
    }

    private void requireValue(String call, String key, byte[] value) {
        requireKey(call, key);
        requireNoRefusal(call, StoreLimits.refusalOfChange(key));
        if (value == null) {
            throw refused(call, "the value for key '" + key + "' is null; allowed: bytes or a string");
        }
        requireNoRefusal(call, StoreLimits.refusalOfValue(key, value.length));
    }

    private static void requireNoRefusal(String call, String refusal) {
        if (!refusal.isEmpty()) {
            throw refused(call, refusal);
        }
    }

    private static StoreException refused(String call, String why) {
        return new StoreException(MPI.ERR_ARG, "Store." + call + ": " + why, null);
    }

    private StoreResult ask(String call, String key, StoreRequest request, long timeNs) {
        if (timeNs <= 0) {
            String what = "Store." + call + " of '" + key + "': the time of the call was over; nothing was changed";
            throw new StoreException(MPI.ERR_OTHER, what, StoreFault.Kind.TIMEOUT);
        }
        StoreResult result;
        try {
            result = job().ask(request, timeNs);
        } catch (StoreFault fault) {
            throw thrown(call, key, fault);
        } catch (CallError over) {
            throw Exceptions.thrown(over);
        }
        if (result instanceof StoreResult.Refused refusal) {
            throw refused(call, refusal.why());
        }
        return result;
    }

    void enter(String operation) {
        rank.enter(operation);
    }

    JobStore job() {
        return rank.runtime().store();
    }

    StoreException thrown(String call, String key, StoreFault fault) {
        String what = "Store." + call + " of '" + key + "': " + fault.getMessage();
        return switch (fault.kind()) {
            case TIMEOUT -> new StoreException(MPI.ERR_OTHER, what + effect(call), fault.kind());
            case UNKNOWN ->
                new StoreException(MPI.ERR_OTHER, what + "; whether the call had an effect is unknown", fault.kind());
            case NO_STORE -> new StoreException(MPI.ERR_OTHER, what, fault.kind());
        };
    }

    private static String effect(String call) {
        boolean isChange = !call.equals("get") && !call.equals("waitFor") && !call.equals("watch");
        return isChange ? "; the change may still be made" : "";
    }
}
