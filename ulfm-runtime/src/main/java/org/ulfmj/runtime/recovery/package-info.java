/**
 * The protocols at a running rank: {@link org.ulfmj.runtime.recovery.ControlPlane} drives the survivor core with the
 * rank's clock and messages; events of other threads wait for the engine's next turn; a call waits for the decision of
 * an agreement, for replacements or for its admission. How collective operations ended is agreed on by the members in
 * {@link org.ulfmj.runtime.recovery.UniformOutcomes}.
 */
package org.ulfmj.runtime.recovery;
