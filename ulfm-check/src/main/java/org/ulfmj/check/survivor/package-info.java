/**
 * Simulated worlds of the survivor core: agreements, revoke, shrink and Finalize in one program, and their invariants.
 */
package org.ulfmj.check.survivor;
