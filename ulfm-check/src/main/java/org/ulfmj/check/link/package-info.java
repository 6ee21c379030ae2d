/** Simulated connections between processes that run the shipped link sessions, and the invariants of these sessions. */
package org.ulfmj.check.link;
