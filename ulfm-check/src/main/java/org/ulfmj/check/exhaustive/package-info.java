/**
 * Every schedule of a small world, on the shipped classes: all orders of calls, deliveries, deaths and news of deaths
 * that links in order allow, each state visited once.
 */
package org.ulfmj.check.exhaustive;
