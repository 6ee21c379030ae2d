/** The invariants of the simulated worlds of {@code replace()}: one per class, named after the property. */
package org.ulfmj.check.replace.invariant;
