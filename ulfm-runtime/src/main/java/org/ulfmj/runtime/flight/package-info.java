/** What a rank tells a flight recording: the events of JFR, loaded only where {@code ulfm.jfr} is on. */
package org.ulfmj.runtime.flight;
