/**
 * Archives of loaded classes, with which the virtual machines of ranks start faster. A class-data archive holds the
 * classes that the processes of a small job have loaded, and later virtual machines load them from there. On Java 25
 * and later a cache can be used instead, which also holds profiles of methods, so that messages are fast sooner.
 * {@link org.ulfmj.launch.archive.JobArchive} chooses between the archive and the cache.
 */
package org.ulfmj.launch.archive;
