/** Jobs that sleep until they are asked, and what the system says of its processors. */
package org.ulfmj.benchmarks.job;
