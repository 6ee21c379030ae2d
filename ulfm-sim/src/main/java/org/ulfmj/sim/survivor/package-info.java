/**
 * Simulated worlds of the detector, the reliable broadcast, and the survivor core with revoke, agreements, shrink and
 * Finalize; and what must hold in them.
 */
package org.ulfmj.sim.survivor;
