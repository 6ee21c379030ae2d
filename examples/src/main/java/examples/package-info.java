/** Programs a newcomer runs and reads. */
package examples;
