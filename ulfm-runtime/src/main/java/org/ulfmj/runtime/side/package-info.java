/**
 * Work of a rank on threads of its own, beside its calls: lines on stderr, and what the program does when signals come.
 */
package org.ulfmj.runtime.side;
