/** What must hold wherever failed ranks are replaced: one invariant per class, named after what it says. */
package org.ulfmj.check.replace.invariant;
