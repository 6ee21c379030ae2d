/**
 * Small worlds whose schedule is given step by step, as a series of deliveries and crashes: written down, for witnesses
 * that random schedules hardly ever contain, or drawn, for random walks.
 */
package org.ulfmj.check.script;
