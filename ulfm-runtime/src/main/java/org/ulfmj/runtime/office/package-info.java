/** A rank as a candidate for the office of its job's coordinator, where that is elected ({@code mpiexec --rdzv}). */
package org.ulfmj.runtime.office;
