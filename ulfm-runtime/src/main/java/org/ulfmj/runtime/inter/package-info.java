/** Inter-communicators: their two groups, and what the leaders of these tell each other when one is made. */
package org.ulfmj.runtime.inter;
