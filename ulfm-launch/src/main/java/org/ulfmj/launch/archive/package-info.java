/**
 * Archives from which processes start. In a class-data archive a virtual machine stores the classes that it has loaded,
 * and the next one loads them ready-made: ranks start faster, and the first failure does not find them loading classes.
 * On Java 25 and later a cache also holds profiles of methods, and messages are fast sooner.
 * {@link org.ulfmj.launch.archive.JobArchive} chooses between the two.
 */
package org.ulfmj.launch.archive;
