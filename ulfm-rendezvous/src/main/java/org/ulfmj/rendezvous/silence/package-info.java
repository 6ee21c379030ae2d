/** Which process ends when one falls silent: rules J1 to J3 and J5, with processes as units. Pure. */
package org.ulfmj.rendezvous.silence;
