/**
 * Operators, as the code that combines vectors sees them, by messages ({@code collective}) or in shared memory
 * ({@code host}): a {@link org.ulfmj.runtime.reduction.Reduction} of packed bytes, which may know arrays of its
 * elements too. Package {@code mpi} brings the operators that programs use.
 */
package org.ulfmj.runtime.reduction;
