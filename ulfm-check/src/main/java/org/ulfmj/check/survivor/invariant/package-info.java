/** The invariants of all worlds in which survivor cores run a program: one per class, named after the property. */
package org.ulfmj.check.survivor.invariant;
