package org.ulfmj.testkit.invariant;

import java.util.Set;
import mpi.MPIException;

/**
 * The exception that a call has thrown.
 *
 * @param failed slots of those members of the communicator that the caller knows to have failed when the call throws
 */
record Raised(MPIException error, Set<Integer> failed, boolean isRevoked) {}
