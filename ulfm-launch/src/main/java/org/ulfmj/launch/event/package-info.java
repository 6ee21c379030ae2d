/**
 * All that happens to a job, as {@link org.ulfmj.launch.event.JobEvent}s in the one queue that the launcher's main
 * thread takes from ({@link org.ulfmj.launch.event.JobEvents}).
 */
package org.ulfmj.launch.event;
