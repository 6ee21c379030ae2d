/** The invariants of the worlds whose ranks are {@code SurvivorRank}s: one per class, named after the property. */
package org.ulfmj.check.survivor.invariant;
