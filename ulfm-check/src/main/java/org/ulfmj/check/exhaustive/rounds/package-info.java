/** Every schedule of small worlds whose processes join, die, wait and are admitted, on the shipped rendezvous. */
package org.ulfmj.check.exhaustive.rounds;
