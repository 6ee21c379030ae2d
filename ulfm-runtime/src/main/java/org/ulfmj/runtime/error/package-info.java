/**
 * How a call that did not succeed ended: the class of the error, the failed ranks, and the message for people; and the
 * failures that a communicator knows of.
 */
package org.ulfmj.runtime.error;
