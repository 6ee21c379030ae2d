package mpi;

/**
 * What happens when a call on a communicator fails (MPI 3.1 section 8.3): the constants {@link MPI#ERRORS_ARE_FATAL}
 * (the job ends), {@link MPI#ERRORS_ABORT} (the same, as by {@link Comm#abort}) and {@link MPI#ERRORS_RETURN} (the call
 * throws an {@link MPIException}), and handlers that {@link Comm#createErrhandler} makes of a program's function.
 *
 * <p>Each communicator has one; a new communicator starts with its parent's. With fault tolerance, which is the default
 * of {@code mpiexec}, {@link MPI#COMM_WORLD} and {@link MPI#COMM_SELF} start with {@link MPI#ERRORS_RETURN} unless
 * {@code --initial-errhandler} names another. Immutable.
 */
public final class Errhandler {
    private final String name;
    private final ErrhandlerFunction function;

    /** Makes a constant of {@link MPI}. */
    Errhandler(String name) {
        this.name = "MPI." + name;
        this.function = null;
    }

    /** Makes a handler of the program's function. */
    Errhandler(ErrhandlerFunction function) {
        this.name = "error handler of the program";
        this.function = function;
    }

    /** The program's function; null for the constants. */
    ErrhandlerFunction function() {
        return function;
    }

    /** {@code MPI.ERRORS_RETURN}, for instance. */
    @Override
    public String toString() {
        return name;
    }
}
