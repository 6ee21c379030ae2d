/**
 * Rules left out of the shipped sources, one at a time, and the trials in which each must be missed: an invariant that
 * nothing violates proves nothing.
 */
package org.ulfmj.check.mutant;
