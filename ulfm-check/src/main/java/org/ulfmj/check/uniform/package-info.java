/**
 * Simulated worlds of uniform agreement. What a rank returned that then died is compared with what the other ranks
 * return.
 */
package org.ulfmj.check.uniform;
