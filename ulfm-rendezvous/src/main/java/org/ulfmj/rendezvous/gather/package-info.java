/**
 * The rendezvous of programs that share nothing but a store: its state is one value there, and each process changes it
 * by compare-and-set. Pure; the caller asks the store and reads the clock.
 */
package org.ulfmj.rendezvous.gather;
