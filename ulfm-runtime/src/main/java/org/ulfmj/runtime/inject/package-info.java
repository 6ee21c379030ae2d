/**
 * Plans of faults: what {@code --inject} says, drawn out into one fault per line before anything is started, so that a
 * run can be repeated. Pure; the launcher and the ranks carry a plan out, or a simulated world, which knows further
 * faults. At a rank: the count of the points that a plan names.
 */
package org.ulfmj.runtime.inject;
