/**
 * What modules that are written on the runtime, as {@code org.ulfmj.rabit} is, may use of package {@code mpi}; not for
 * programs.
 */
package org.ulfmj.api;
