/** Under construction. */
package org.ulfmj.testkit;
