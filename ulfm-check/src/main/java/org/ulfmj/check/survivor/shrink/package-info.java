/** The invariants of shrink: one per class, named after the property. */
package org.ulfmj.check.survivor.shrink;
