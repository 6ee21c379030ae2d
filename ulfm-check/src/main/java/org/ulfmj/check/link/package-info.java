/** Simulated connections between processes that drive the shipped link sessions; and what must hold on them. */
package org.ulfmj.check.link;
