/**
 * Class-data archives: a virtual machine stores the classes that it has loaded, and the next one loads them ready-made.
 * Ranks start faster, and the first failure does not find them loading classes.
 */
package org.ulfmj.launch.archive;
