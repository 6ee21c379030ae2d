/** What shrink promises: one invariant per class, named after what it says. */
package org.ulfmj.check.survivor.shrink;
