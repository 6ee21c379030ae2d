/** Jobs whose ranks sleep until they are asked, and the system's accounts of its processors. */
package org.ulfmj.benchmarks.job;
