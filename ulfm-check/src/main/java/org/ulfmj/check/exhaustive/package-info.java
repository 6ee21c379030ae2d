/**
 * Visits every schedule of a small world, with the shipped classes: all orders of calls, deliveries, deaths and news of
 * deaths that are possible where links keep the order of messages, each state once.
 */
package org.ulfmj.check.exhaustive;
