package mpi;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The attributes of one object at one rank (MPI 3.1 section 6.7): values that the program keeps with a communicator or
 * a datatype, by key. Values are kept by reference. Thread-safe; functions of the program are called without a lock.
 *
 * @param <T> the kind of object
 */
final class Attributes<T> {
    private record Held<T>(Keyval<T> keyval, Object value) {}

    /** In the order in which the values were set. */
    private final Map<Integer, Held<T>> held = new LinkedHashMap<>();

    synchronized boolean has(int keyval) {
        return held.containsKey(keyval);
    }

    /** Returns the value for a key; null if there is none. */
    synchronized Object get(int keyval) {
        Held<T> found = held.get(keyval);
        return found == null ? null : found.value();
    }

    /**
     * Sets the value for a key. A value that the key has already is deleted first, with the delete function of its key.
     */
    void set(T object, Keyval<T> keyval, Object value) {
        if (has(keyval.number())) {
            delete(object, keyval.number());
        }
        synchronized (this) {
            held.put(keyval.number(), new Held<>(keyval, value));
        }
    }

    /**
     * Calls the delete function of a key for the value that it has here, and then drops the value. Does nothing if the
     * key has no value any more.
     */
    void delete(T object, int keyval) {
        Held<T> found;
        synchronized (this) {
            found = held.get(keyval);
        }
        if (found == null) {
            // Another thread was quicker.
            return;
        }
        found.keyval().delete().delete(object, keyval, found.value());
        synchronized (this) {
            held.remove(keyval, found);
        }
    }

    /** Deletes all values, the one that was set last first. */
    void deleteAll(T object) {
        for (Held<T> newest = newest(); newest != null; newest = newest()) {
            delete(object, newest.keyval().number());
        }
    }

    private synchronized Held<T> newest() {
        Held<T> newest = null;
        for (Held<T> each : held.values()) {
            newest = each;
        }
        return newest;
    }

    /**
     * Returns the attributes of a duplicate, as the copy functions of the keys make them. If one of these throws, the
     * values made before are {@linkplain #drop dropped}, and its exception is thrown.
     */
    Attributes<T> copiesFor(T object) {
        List<Held<T>> originals;
        synchronized (this) {
            originals = new ArrayList<>(held.values());
        }
        Attributes<T> copies = new Attributes<>();
        for (Held<T> each : originals) {
            Keyval<T> keyval = each.keyval();
            try {
                Object copy = keyval.copy().copy(object, keyval.number(), each.value());
                if (copy != null) {
                    copies.held.put(keyval.number(), new Held<>(keyval, copy));
                }
            } catch (RuntimeException thrown) {
                copies.drop(object, thrown);
                throw thrown;
            }
        }
        return copies;
    }

    /**
     * Deletes the values that were made for a duplicate, because {@code reason} kept the duplicate from being made. An
     * exception of a delete function is added to {@code reason}; the delete functions of the values that are left then
     * are not called.
     */
    void drop(T object, RuntimeException reason) {
        try {
            deleteAll(object);
        } catch (RuntimeException another) {
            reason.addSuppressed(another);
        }
    }
}
