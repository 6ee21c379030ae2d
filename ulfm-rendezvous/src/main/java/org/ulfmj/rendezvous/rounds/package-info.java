/**
 * What a world with a least and a greatest size adds to the rendezvous: its size, and the processes that join it
 * without a slot.
 */
package org.ulfmj.rendezvous.rounds;
