/** Programs for a newcomer to run and read. */
package examples;
