/** What must hold wherever survivor cores run a program: one invariant per class, named after what it says. */
package org.ulfmj.check.survivor.invariant;
