/** Programs as users write them, outside our own packages, for tests that look for the program's lines in a stack. */
package waiting;
