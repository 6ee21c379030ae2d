/** The rendezvous core of a running job with restarts and spares, whose members admit newcomers. */
package org.ulfmj.check.rendezvous.replacing;
