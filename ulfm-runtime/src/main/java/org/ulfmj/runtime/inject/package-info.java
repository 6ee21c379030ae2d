/**
 * Plans of faults: what {@code --inject} says, drawn into one fault per line before any process is started, so that a
 * run can be repeated. Pure. The launcher and the ranks carry a plan out, or a simulated world, which knows further
 * faults. {@link org.ulfmj.runtime.inject.FaultPoints} counts, at a rank, the points that a plan names.
 */
package org.ulfmj.runtime.inject;
