/**
 * Runs of schedules at one rank: their messages, their local work, and how they end when a member fails or the
 * communicator is revoked.
 */
package org.ulfmj.runtime.collective.run;
