/**
 * Small worlds whose schedule is written step by step, as a series of deliveries and crashes. For witnesses that random
 * schedules hardly ever contain.
 */
package org.ulfmj.check.script;
