/** The invariants of all worlds in which failed ranks are replaced: one per class, named after the property. */
package org.ulfmj.check.replace.invariant;
