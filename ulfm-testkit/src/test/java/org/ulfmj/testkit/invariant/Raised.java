package org.ulfmj.testkit.invariant;

import java.util.Set;
import mpi.MPIException;

/**
 * What a call has thrown.
 *
 * @param failed slots of the communicator's members that the caller knows to have failed now
 */
record Raised(MPIException error, Set<Integer> failed, boolean isRevoked) {}
