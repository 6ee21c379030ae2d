package mpi;

/**
 * What happens when a call on a communicator fails: the constants {@link MPI#ERRORS_ARE_FATAL} (the job ends),
 * {@link MPI#ERRORS_ABORT} (the same, as by {@link Comm#abort}) and {@link MPI#ERRORS_RETURN} (the call throws an
 * {@link MPIException}).
 *
 * <p>Each communicator has one; a new communicator starts with its parent's. With fault tolerance, which is the default of
 * {@code mpiexec}, everything starts with {@link MPI#ERRORS_RETURN} unless {@code --initial-errhandler} names another.
 * Immutable.
 */
public final class Errhandler {
    private final String name;

    Errhandler(String name) {
        this.name = name;
    }

    /** {@code MPI.ERRORS_RETURN}. */
    @Override
    public String toString() {
        return "MPI." + name;
    }
}
