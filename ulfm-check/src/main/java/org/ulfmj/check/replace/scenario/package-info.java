/** The kind of simulated world in which failed ranks are replaced: what its ranks do, and what goes wrong. */
package org.ulfmj.check.replace.scenario;
