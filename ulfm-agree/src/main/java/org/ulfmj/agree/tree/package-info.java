/** The tree that an agreement goes over: its shape, and what is left of it when members have failed. */
package org.ulfmj.agree.tree;
