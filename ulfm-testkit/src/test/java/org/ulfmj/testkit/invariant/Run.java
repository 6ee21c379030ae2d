package org.ulfmj.testkit.invariant;

import java.util.List;
import java.util.Set;
import org.ulfmj.testkit.sim.SimResult;

/**
 * A run that has ended.
 *
 * @param calls all calls that the program made, in their order
 * @param dead slots of ranks that ended without Finalize or abort
 */
record Run(SimResult result, List<Call> calls, Set<Integer> dead) {}
