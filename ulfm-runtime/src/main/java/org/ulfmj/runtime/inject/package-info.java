/**
 * Plans of deaths: what {@code --inject} says, drawn out into one kill per line before anything is started, so that a
 * run can be repeated. Pure; the launcher carries a plan out, or a simulated world, which knows further faults. At a
 * rank: the count of the points that a plan names.
 */
package org.ulfmj.runtime.inject;
