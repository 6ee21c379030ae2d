/** The store's sessions over lines that break, with ranks that die and are replaced. */
package org.ulfmj.check.rendezvous.store;
