/** Which process ends when one falls silent: rules J1 to J5, with processes and hosts as units. Pure. */
package org.ulfmj.rendezvous.silence;
