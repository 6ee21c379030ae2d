/**
 * Archives of loaded classes, with which the virtual machines of ranks start faster. One virtual machine stores the
 * classes that it has loaded in a class-data archive, and later virtual machines load them from there; so the first
 * failure does not have to wait for classes to be loaded. On Java 25 and later a cache is used instead, which also
 * holds profiles of methods, so that messages are fast sooner. {@link org.ulfmj.launch.archive.JobArchive} chooses
 * between the archive and the cache.
 */
package org.ulfmj.launch.archive;
