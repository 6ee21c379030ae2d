package mpi;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Hints for the implementation: values by key, in the order in which the keys were first set (MPI 3.1 chapter 9). A key
 * has 1 to {@link MPI#MAX_INFO_KEY} characters, a value 1 to {@link MPI#MAX_INFO_VAL}. An info object belongs to no
 * rank; it may be made and used before {@code Init}, except for {@link MPI#INFO_ENV}. All methods are local and may be
 * called by any thread.
 *
 * <p>Every call raises {@code ERR_INFO} for {@link MPI#INFO_NULL} and for an object that was freed, but for
 * {@link #isNull}. {@link MPI#INFO_ENV} can be read and duplicated, and not be changed ({@code ERR_INFO}). Errors are
 * handled by the error handler of {@link MPI#COMM_SELF}.
 */
public final class Info implements Freeable, Cloneable {
    /** The values by key. Null for the null object, for an object that was freed, and for {@link MPI#INFO_ENV}. */
    private Map<String, String> entries;

    private final boolean isEnvironment;

    /**
     * Makes an object without keys.
     *
     * <p>{@code MPI_Info_create}, MPI 3.1 chapter 9.
     */
    public Info() {
        this(new LinkedHashMap<>(), false);
    }

    private Info(Map<String, String> entries, boolean isEnvironment) {
        this.entries = entries;
        this.isEnvironment = isEnvironment;
    }

    /** Returns a null object. */
    static Info ofNothing() {
        return new Info(null, false);
    }

    /** Returns an object that always shows the entries of the rank whose thread asks: how that rank was started. */
    static Info ofEnvironment() {
        return new Info(null, true);
    }

    /** Returns an object with these entries. */
    static Info of(Map<String, String> entries) {
        return new Info(new LinkedHashMap<>(entries), false);
    }

    /** Returns a copy of the entries; raises {@code ERR_INFO} for a null object. */
    synchronized Map<String, String> entries(String call) {
        return new LinkedHashMap<>(readable(call));
    }

    private Map<String, String> readable(String call) {
        if (isEnvironment) {
            Rank rank = Ranks.current(call);
            rank.enter(call);
            return rank.environment();
        }
        if (entries == null) {
            throw Exceptions.withoutCommunicator(
                    call, MPI.ERR_INFO, "the info object is null or was freed; allowed: new Info()");
        }
        return entries;
    }

    private Map<String, String> writable(String call) {
        if (isEnvironment) {
            throw Exceptions.withoutCommunicator(
                    call, MPI.ERR_INFO, "MPI.INFO_ENV cannot be changed; allowed: a duplicate of it");
        }
        return readable(call);
    }

    /**
     * Sets the value of a key.
     *
     * <p>{@code MPI_Info_set}, MPI 3.1 chapter 9.
     *
     * @throws MPIException of class {@code ERR_INFO_KEY} or {@code ERR_INFO_VALUE} if the key or the value is null,
     *     empty or too long
     */
    public synchronized void set(String key, String value) {
        Map<String, String> target = writable("Info.set");
        checkKey("Info.set", key);
        check("Info.set", "value", value, MPI.MAX_INFO_VAL, MPI.ERR_INFO_VALUE);
        target.put(key, value);
    }

    /**
     * Returns the value of a key; null if the key has none.
     *
     * <p>{@code MPI_Info_get}, MPI 3.1 chapter 9.
     *
     * @throws MPIException of class {@code ERR_INFO_KEY} if the key is null, empty or too long
     */
    public synchronized String get(String key) {
        Map<String, String> source = readable("Info.get");
        checkKey("Info.get", key);
        return source.get(key);
    }

    /**
     * Removes a key and its value.
     *
     * <p>{@code MPI_Info_delete}, MPI 3.1 chapter 9.
     *
     * @throws MPIException of class {@code ERR_INFO_NOKEY} if there is no such key, of class {@code ERR_INFO_KEY} if it
     *     is null, empty or too long
     */
    public synchronized void delete(String key) {
        Map<String, String> target = writable("Info.delete");
        checkKey("Info.delete", key);
        if (target.remove(key) == null) {
            throw Exceptions.withoutCommunicator(
                    "Info.delete",
                    MPI.ERR_INFO_NOKEY,
                    "key is \"" + key + "\"; allowed: "
                            + (target.isEmpty() ? "none, since there are no keys" : target.keySet()));
        }
    }

    /**
     * The number of keys.
     *
     * <p>{@code MPI_Info_get_nkeys}, MPI 3.1 chapter 9.
     */
    public synchronized int size() {
        return readable("Info.size").size();
    }

    /**
     * Returns the i-th key in the order in which the keys were set.
     *
     * <p>{@code MPI_Info_get_nthkey}, MPI 3.1 chapter 9.
     *
     * @param i from 0 to {@link #size} − 1
     * @throws MPIException of class {@code ERR_ARG} if i is negative, of class {@code ERR_INFO_KEY} if it is the size
     *     or more
     */
    public synchronized String getKey(int i) {
        Map<String, String> source = readable("Info.getKey");
        if (i < 0 || i >= source.size()) {
            throw Exceptions.withoutCommunicator(
                    "Info.getKey",
                    i < 0 ? MPI.ERR_ARG : MPI.ERR_INFO_KEY,
                    "i is " + i + "; allowed: "
                            + (source.isEmpty()
                                    ? "none, since there are no keys"
                                    : "0 to size() - 1, which is " + (source.size() - 1)));
        }
        return new ArrayList<>(source.keySet()).get(i);
    }

    /**
     * Returns another object with the same keys, values and order.
     *
     * <p>{@code MPI_Info_dup}, MPI 3.1 chapter 9.
     */
    public Info dup() {
        return of(entries("Info.dup"));
    }

    /**
     * The same as {@link #dup}.
     *
     * <p>{@code MPI_Info_dup}, MPI 3.1 chapter 9.
     */
    @Override
    public Info clone() {
        return of(entries("Info.clone"));
    }

    /**
     * Gives the object back; it is null afterwards. Hints that were taken from it stay in force.
     *
     * <p>{@code MPI_Info_free}, MPI 3.1 chapter 9.
     */
    @Override
    public synchronized void free() {
        writable("Info.free");
        entries = null;
    }

    /** Whether this is {@link MPI#INFO_NULL}, or was freed. Never fails. */
    public synchronized boolean isNull() {
        return entries == null && !isEnvironment;
    }

    private static void checkKey(String call, String key) {
        check(call, "key", key, MPI.MAX_INFO_KEY, MPI.ERR_INFO_KEY);
    }

    private static void check(String call, String name, String text, int limit, int errorClass) {
        if (text == null || text.isEmpty() || text.length() > limit) {
            String given = text == null ? "null" : text.isEmpty() ? "empty" : text.length() + " characters long";
            throw Exceptions.withoutCommunicator(
                    call, errorClass, name + " is " + given + "; allowed: 1 to " + limit + " characters");
        }
    }
}
