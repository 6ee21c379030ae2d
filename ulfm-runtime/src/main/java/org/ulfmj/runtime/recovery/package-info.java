/**
 * The protocols at a running rank: {@link org.ulfmj.runtime.recovery.ControlPlane} drives the survivor core with real
 * time and real lanes, events of other threads wait for its next turn, and a call waits for the decision of an
 * agreement, for a replacement or for its admission. Members agree on how operations ended by
 * {@link org.ulfmj.runtime.recovery.UniformOutcomes}. Under the engine lock.
 */
package org.ulfmj.runtime.recovery;
