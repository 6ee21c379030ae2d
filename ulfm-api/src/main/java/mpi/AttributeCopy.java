package mpi;

/**
 * Decides what a duplicate gets for an attribute of the object that is duplicated (MPI 3.1 section 6.7.2). Called by
 * {@link Comm#dup} and its like, and by {@code Datatype.dup}, on the thread that makes that call, before the duplicate
 * exists. The function may call MPI.
 *
 * @param <T> {@link Comm} or {@link Datatype}
 */
@FunctionalInterface
public interface AttributeCopy<T> {
    /**
     * Returns the value that the duplicate gets; null if the duplicate gets no value for this key. An exception ends
     * the duplication, which throws that exception: no duplicate is made, and the call does not count as a collective
     * call.
     *
     * @param object that is duplicated
     * @param keyval the key, as {@code createKeyval} returned it
     * @param value of the object
     */
    Object copy(T object, int keyval, Object value);
}
