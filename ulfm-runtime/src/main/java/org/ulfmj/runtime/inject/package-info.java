/**
 * Plans of faults: what {@code --inject} says, drawn into single faults before any process is started, so that a run
 * can be repeated. Pure. {@link org.ulfmj.runtime.inject.FaultPoints} counts, at a rank, the points that a plan names.
 */
package org.ulfmj.runtime.inject;
