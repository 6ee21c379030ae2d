/** Uniform agreement: the results that a rank which returned and then died leaves to the others. */
package org.ulfmj.check.uniform;
