/** The invariants of worlds that grow: one per class, named after the property. */
package org.ulfmj.check.grow.invariant;
