package org.ulfmj.rendezvous.embed;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import org.ulfmj.rendezvous.store.StoreLimits;
import org.ulfmj.rendezvous.store.StoreRequest;
import org.ulfmj.rendezvous.store.StoreResult;
import org.ulfmj.transport.auth.JobSecret;

/**
 * A few small values under keys that the processes of a job share: an address, a decision, a counter. The calls are the
 * same wherever the values are stored; the URL of {@link #open} chooses the place.
 *
 * <p>Keys have 1 to 1,024 bytes in UTF-8, values up to 1 MiB. Keys that begin with {@code ulfm.} are the library's:
 * they may be read and watched. Each change has a version, which is never given twice. Every request is carried out at
 * most once, also if the connection breaks and is made anew meanwhile.
 *
 * <p>Any thread may call. A call that asks the store waits for its answer, but no longer than its time limit: 30 s
 * unless {@link #withTimeout} sets another or the call has one. An interrupt does not end a wait, and the flag is kept.
 * A call that fails throws a {@link RendezvousFailure}.
 */
public final class SharedStore implements AutoCloseable {
    private static final long TIMEOUT_NS = 30_000_000_000L;

    private final StoreLine line;
    private final String scope;
    private final long timeoutNs;

    private SharedStore(StoreLine line, String scope, long timeoutNs) {
        this.line = line;
        this.scope = scope;
        this.timeoutNs = timeoutNs;
    }

    /**
     * Opens the store of a job. The secret of the job is read from the file that the parameter {@code secret_file}
     * names, if there is one.
     *
     * @param url as {@code memory://name/job}, {@code embedded://host:port/job}, {@code etcd://host:port/job} or
     *     {@code etcds://…}; see {@link RendezvousUrl}
     */
    public static SharedStore open(String url) {
        RendezvousUrl parsed = Backends.parse(url);
        return open(parsed, secretOf(parsed));
    }

    /**
     * The secret in the file that a URL names; null if it names none.
     *
     * @throws RendezvousFailure.Refused if the file cannot be read
     */
    static JobSecret secretOf(RendezvousUrl url) {
        String file = url.parameter("secret_file");
        try {
            return file == null ? null : JobSecret.read(Path.of(file));
        } catch (IOException e) {
            throw new RendezvousFailure.Refused(RendezvousFailure.Refused.Reason.BAD_TOKEN, e.getMessage(), e);
        }
    }

    /** As {@link #open(String)}, with the secret of the job as an argument and not from a file. */
    public static SharedStore open(String url, JobSecret secret) {
        return open(Backends.parse(url), secret);
    }

    private static SharedStore open(RendezvousUrl url, JobSecret secret) {
        return over(Backends.of(url).open(url, secret, TIMEOUT_NS));
    }

    /** The store at the other end of a line that the caller has opened. */
    public static SharedStore over(StoreLine line) {
        return new SharedStore(line, "", TIMEOUT_NS);
    }

    /** Returns the same store with another time limit for each call. */
    public SharedStore withTimeout(Duration time) {
        if (time.isNegative() || time.isZero()) {
            throw new RendezvousFailure.Refused("SharedStore.withTimeout: " + time + "; allowed: more than 0");
        }
        return new SharedStore(line, scope, nanos(time));
    }

    /**
     * Returns the part of this store whose keys begin with a prefix; in it keys go without the prefix. Closing it
     * closes this store.
     */
    public SharedStore within(String prefix) {
        requireNoRefusal("within", StoreLimits.refusalOfChange(scope + prefix));
        return new SharedStore(line, scope + prefix, timeoutNs);
    }

    /** Stores a value, in place of an earlier one if there is one. Returns its version. */
    public long set(String key, byte[] value) {
        requireChange("set", key, value);
        return ((StoreResult.Stored) ask("set", key, new StoreRequest.Set(scope + key, value.clone()))).version();
    }

    /** As {@link #set(String, byte[])}, with the text in UTF-8. */
    public long set(String key, String text) {
        return set(key, bytes(text));
    }

    /** Returns what is stored under a key now; null if nothing is. */
    public StoredValue get(String key) {
        requireKey("get", key);
        return found(key, ask("get", key, new StoreRequest.Get(scope + key, false)));
    }

    /**
     * Waits until something is stored under a key, and returns it; at once if it is there.
     *
     * @throws RendezvousFailure.Timeout if nothing was stored within that time
     */
    public StoredValue waitFor(String key, Duration time) {
        requireKey("waitFor", key);
        long limitNs = nanos(time);
        if (limitNs <= 0) {
            StoredValue present = get(key);
            if (present == null) {
                throw new RendezvousFailure.Timeout(text("waitFor", key) + "nothing is stored there", null);
            }
            return present;
        }
        return found(key, ask("waitFor", key, new StoreRequest.Get(scope + key, true), limitNs));
    }

    /**
     * Adds to a number in one step, and returns the sum. The number is stored as decimal text; a key without a value
     * counts as 0.
     *
     * @throws RendezvousFailure.Refused if something else than a number is stored there, or the sum exceeds 64 bits
     */
    public long add(String key, long amount) {
        requireChange("add", key, new byte[0]);
        return ((StoreResult.Sum) ask("add", key, new StoreRequest.Add(scope + key, amount))).sum();
    }

    /**
     * Stores a value if the value that is stored under the key has this version, in one step.
     *
     * @param version the version of a {@link StoredValue}, or from {@link #set}; 0 if nothing must be stored under the
     *     key
     */
    public Swap compareAndSet(String key, long version, byte[] value) {
        requireChange("compareAndSet", key, value);
        return swap(key, version, value.clone(), timeoutNs);
    }

    /**
     * Stores a value if these bytes are stored under the key, in one step.
     *
     * @param expected null if nothing must be stored under the key
     */
    public Swap compareAndSet(String key, byte[] expected, byte[] value) {
        requireChange("compareAndSet", key, value);
        long beganNs = System.nanoTime();
        byte[] copy = value.clone();
        while (true) {
            StoreRequest get = new StoreRequest.Get(scope + key, false);
            StoredValue present = found(key, ask("compareAndSet", key, get, left("compareAndSet", key, beganNs)));
            if (!Arrays.equals(present == null ? null : present.value(), expected)) {
                return new Swap(false, present);
            }
            // Another change between the read and the swap may store the same bytes again: then the next round finds
            // them.
            Swap swap = swap(key, present == null ? 0 : present.version(), copy, left("compareAndSet", key, beganNs));
            if (swap.isDone()) {
                return swap;
            }
        }
    }

    /** As {@link #compareAndSet(String, long, byte[])}, with the text in UTF-8. */
    public Swap compareAndSet(String key, long version, String text) {
        return compareAndSet(key, version, bytes(text));
    }

    /**
     * As {@link #compareAndSet(String, byte[], byte[])}, with both texts in UTF-8.
     *
     * @param expected null if nothing must be stored under the key
     */
    public Swap compareAndSet(String key, String expected, String text) {
        return compareAndSet(key, bytes(expected), bytes(text));
    }

    /** Returns the text in UTF-8; null for null, which a value must not be and an expected value may be. */
    private static byte[] bytes(String text) {
        return text == null ? null : text.getBytes(StandardCharsets.UTF_8);
    }

    private Swap swap(String key, long version, byte[] value, long limitNs) {
        StoreRequest request = new StoreRequest.CompareAndSet(scope + key, version, value);
        StoreResult result = ask("compareAndSet", key, request, limitNs);
        return result instanceof StoreResult.Stored stored
                ? new Swap(true, new StoredValue(key, stored.version(), value))
                : new Swap(false, found(key, result));
    }

    private long left(String call, String key, long beganNs) {
        long leftNs = timeoutNs - (System.nanoTime() - beganNs);
        if (leftNs <= 0) {
            throw new RendezvousFailure.Timeout(
                    text(call, key) + "the time of the call was over; nothing was changed", null);
        }
        return leftNs;
    }

    /** Deletes a key and its value. Returns whether there was one. */
    public boolean delete(String key) {
        requireChange("delete", key, new byte[0]);
        return ((StoreResult.Stored) ask("delete", key, new StoreRequest.Delete(scope + key))).version() > 0;
    }

    /**
     * Begins to watch all keys of this store that begin with a prefix; the empty prefix stands for all its keys.
     * Returns at once. The watcher is first told of the keys that exist.
     */
    public StoreWatcher watch(String prefix) {
        if (prefix == null) {
            throw new RendezvousFailure.Refused("SharedStore.watch: the prefix is null");
        }
        requireNoRefusal("watch", StoreLimits.refusalOfPrefix(scope + prefix));
        return new StoreWatcher(line, scope, prefix);
    }

    /**
     * Closes this store and, unless it is the store of a {@link Round}, ends its connection; calls that wait on that
     * connection throw {@link RendezvousFailure.Closed}.
     */
    @Override
    public void close() {
        line.close();
    }

    static long nanos(Duration time) {
        try {
            return time.toNanos();
        } catch (ArithmeticException centuries) {
            return Long.MAX_VALUE / 4;
        }
    }

    private static StoredValue found(String key, StoreResult result) {
        StoreResult.Found found = (StoreResult.Found) result;
        return found.version() == 0 ? null : new StoredValue(key, found.version(), found.value());
    }

    private void requireKey(String call, String key) {
        if (key == null) {
            throw new RendezvousFailure.Refused("SharedStore." + call + ": the key is null");
        }
        requireNoRefusal(call, StoreLimits.refusalOfKey(scope + key));
    }

    private void requireChange(String call, String key, byte[] value) {
        requireKey(call, key);
        requireNoRefusal(call, StoreLimits.refusalOfChange(scope + key));
        if (value == null) {
            throw new RendezvousFailure.Refused("SharedStore." + call + ": the value for key '" + key + "' is null");
        }
        requireNoRefusal(call, StoreLimits.refusalOfValue(scope + key, value.length));
    }

    private static void requireNoRefusal(String call, String refusal) {
        if (!refusal.isEmpty()) {
            throw new RendezvousFailure.Refused("SharedStore." + call + ": " + refusal);
        }
    }

    private static String text(String call, String key) {
        return "SharedStore." + call + " of '" + key + "': ";
    }

    private StoreResult ask(String call, String key, StoreRequest request) {
        return ask(call, key, request, timeoutNs);
    }

    private StoreResult ask(String call, String key, StoreRequest request, long limitNs) {
        StoreResult result = line.ask(request, Math.min(limitNs, Long.MAX_VALUE / 4));
        if (result instanceof StoreResult.Refused refusal) {
            throw new RendezvousFailure.Refused(text(call, key) + refusal.why());
        }
        return result;
    }
}
