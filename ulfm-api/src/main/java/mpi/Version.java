package mpi;

/** The version of the MPI standard that the API follows. Immutable. */
public final class Version {
    private final int version;
    private final int subVersion;

    Version(int version, int subVersion) {
        this.version = version;
        this.subVersion = subVersion;
    }

    /** Returns the major number: the 3 of 3.1. */
    public int getVersion() {
        return version;
    }

    /** Returns the minor number: the 1 of 3.1. */
    public int getSubVersion() {
        return subVersion;
    }

    /** {@code 3.1}. */
    @Override
    public String toString() {
        return version + "." + subVersion;
    }
}
