/** The store's sessions over lines that break, with ranks that die and are replaced, and with stores that are lost. */
package org.ulfmj.check.rendezvous.store;
