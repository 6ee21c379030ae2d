/** What programs import. */
package mpi;
