/**
 * Class-data archives: what a virtual machine learns about our classes is kept for the next one, so that ranks start
 * faster and the first failure does not find them loading classes.
 */
package org.ulfmj.launch.archive;
