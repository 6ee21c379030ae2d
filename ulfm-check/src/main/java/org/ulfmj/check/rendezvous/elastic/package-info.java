/** The rendezvous of a world with a least and a greatest size, in seeded schedules. */
package org.ulfmj.check.rendezvous.elastic;
