/**
 * How a call that did not succeed ended: the class of the error, the failed ranks, and the message for people. Also
 * what is known of the failures in a communicator.
 */
package org.ulfmj.runtime.error;
