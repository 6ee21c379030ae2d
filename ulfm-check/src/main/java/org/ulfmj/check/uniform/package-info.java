/** Uniform agreement: what a rank that returned and died leaves to the others. */
package org.ulfmj.check.uniform;
