/**
 * MPI for Java that survives the death of processes: the API of Open MPI's Java bindings, and what User-Level Failure
 * Mitigation adds to it.
 *
 * <pre>{@code
 * MPI.Init(args);
 * Intracomm comm = MPI.COMM_WORLD;
 * double[] sum = new double[1];
 * for (boolean done = false; !done; ) {
 *     int fine = 1;
 *     try {
 *         sum[0] = comm.getRank();
 *         comm.allReduce(sum, 1, MPI.DOUBLE, MPI.SUM);
 *     } catch (ProcFailedException | RevokedException death) {
 *         comm.revoke(); // gets every rank out of what they wait for
 *         fine = 0;
 *     }
 *     try {
 *         done = comm.agree(fine) == 1; // all are done, or no rank is
 *     } catch (ProcFailedException death) {
 *         done = false; // raised at all ranks or at none
 *     }
 *     comm = done ? comm : comm.shrink(); // goes on without the dead
 * }
 * MPI.Finalize();
 * }</pre>
 *
 * {@link mpi.Resilient} is this loop, ready to use.
 *
 * <p>Start it with {@code mpiexec -n 4 java -cp … Main}. A blocking call may wait until its peers have done their part;
 * it never waits for a process that is known to have failed. Counts are in items of a {@link mpi.Datatype}, ranks run
 * from 0. All threads may call MPI. Errors are unchecked {@link mpi.MPIException}s, or the end of the job: see
 * {@link mpi.Errhandler}. {@link mpi.MPI} has the constants, {@link mpi.Comm} the calls.
 */
package mpi;
