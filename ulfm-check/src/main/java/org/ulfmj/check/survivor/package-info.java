/**
 * Simulated worlds of the survivor core: agreements, revoke, shrink and Finalize under one program, and what must hold
 * in them.
 */
package org.ulfmj.check.survivor;
