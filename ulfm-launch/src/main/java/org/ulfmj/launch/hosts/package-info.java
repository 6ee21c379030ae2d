/** The hosts of a job: how users and batch systems write them down, and which of them gets which process. */
package org.ulfmj.launch.hosts;
