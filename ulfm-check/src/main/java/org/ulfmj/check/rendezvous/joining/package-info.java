/** The rendezvous core with ranks that die or come late, before there is a world. */
package org.ulfmj.check.rendezvous.joining;
