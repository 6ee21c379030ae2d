/**
 * Simulated worlds of uniform agreement, in which a rank that returned and then died has returned what the other ranks
 * return.
 */
package org.ulfmj.check.uniform;
