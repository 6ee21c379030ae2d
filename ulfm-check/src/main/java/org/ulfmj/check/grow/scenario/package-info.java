/** The schedules in which worlds grow. */
package org.ulfmj.check.grow.scenario;
