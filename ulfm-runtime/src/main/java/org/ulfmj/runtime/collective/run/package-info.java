/**
 * Runs of schedules at one rank: their messages, their local work on threads of the program, and how they end when a
 * member fails or the communicator is revoked.
 */
package org.ulfmj.runtime.collective.run;
