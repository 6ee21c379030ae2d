/**
 * What all survivors decide: the early returning agreement, shrink, Finalize, and {@link org.ulfmj.agree.SurvivorCore},
 * which wires detector, broadcast, agreements and revoke of one rank together.
 */
package org.ulfmj.agree;
