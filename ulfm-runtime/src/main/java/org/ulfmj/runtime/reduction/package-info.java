/**
 * What an operator is to any rank that combines vectors, by messages ({@code collective}) or in shared memory
 * ({@code host}): a {@link org.ulfmj.runtime.reduction.Reduction} of packed bytes, which may know arrays of its
 * elements too. Package {@code mpi} brings the operators.
 */
package org.ulfmj.runtime.reduction;
