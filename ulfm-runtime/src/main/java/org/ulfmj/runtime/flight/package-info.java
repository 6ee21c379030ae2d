/** The events of Java flight recordings (JFR) that a rank records; loaded only where {@code ulfm.jfr} is on. */
package org.ulfmj.runtime.flight;
