/** Simulated connections between processes that drive the shipped link sessions, and their invariants. */
package org.ulfmj.check.link;
