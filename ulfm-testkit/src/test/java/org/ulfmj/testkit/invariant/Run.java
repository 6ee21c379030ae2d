package org.ulfmj.testkit.invariant;

import java.util.List;
import java.util.Set;
import org.ulfmj.testkit.sim.SimResult;

/**
 * A run that is over.
 *
 * @param calls all that the program made, in their order
 * @param dead slots of ranks that ended before Finalize
 */
record Run(SimResult result, List<Call> calls, Set<Integer> dead) {}
