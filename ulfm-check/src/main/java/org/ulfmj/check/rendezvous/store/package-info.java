/** Simulated jobs for the store's sessions: connections break, ranks die and are replaced, and stores are lost. */
package org.ulfmj.check.rendezvous.store;
