/**
 * Mutants, which are sources from which a rule was left out, and the trials in which an invariant must notice that: an
 * invariant that is never violated proves nothing.
 */
package org.ulfmj.check.mutant;
