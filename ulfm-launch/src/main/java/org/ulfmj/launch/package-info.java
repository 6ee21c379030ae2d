/** Under construction. */
package org.ulfmj.launch;
