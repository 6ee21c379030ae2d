/** Under construction. */
package org.ulfmj.rendezvous;
