/**
 * A rank as a candidate for the office of its job's coordinator, where that is elected ({@code mpiexec --rdzv}). A rank
 * of another job loads no class of this package.
 */
package org.ulfmj.runtime.office;
