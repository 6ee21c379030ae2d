/**
 * Small worlds whose schedule is written down step by step: deliver this, crash that. For witnesses that random
 * schedules hardly ever meet.
 */
package org.ulfmj.check.script;
