/**
 * Rules left out of the shipped sources, one at a time, and the trials in which an invariant must notice that: an
 * invariant that is never violated proves nothing.
 */
package org.ulfmj.check.mutant;
