/** The command {@code bin/ulfm-sim}. The packages below hold the worlds that it runs, their invariants, and mutants. */
package org.ulfmj.check;
