package mpi;

/**
 * A number that may be larger than an {@code int}: {@code MPI_Count} of MPI 3.1 section 2.5.8. Two counts are equal if
 * their numbers are. A count must not be used by other threads while one changes it.
 */
public final class Count implements Comparable<Object> {
    private long count;

    /** Makes a count of this number. */
    public Count(long count) {
        this.count = count;
    }

    /** Returns the number. */
    public long getCount() {
        return count;
    }

    /** Sets the number. */
    public void setCount(long count) {
        this.count = count;
    }

    /** Whether {@code other} is a count of the same number. */
    @Override
    public boolean equals(Object other) {
        return other instanceof Count that && that.count == count;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(count);
    }

    /**
     * Compares the numbers.
     *
     * @throws ClassCastException if {@code other} is not a count
     */
    @Override
    public int compareTo(Object other) {
        return Long.compare(count, ((Count) other).count);
    }

    /** The number in digits. */
    @Override
    public String toString() {
        return Long.toString(count);
    }
}
