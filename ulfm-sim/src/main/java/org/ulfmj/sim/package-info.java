/** Under construction. */
package org.ulfmj.sim;
