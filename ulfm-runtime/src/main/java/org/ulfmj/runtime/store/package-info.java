/** A rank's calls to the store of its job ({@link org.ulfmj.runtime.store.JobStore}): the way there, and the waits. */
package org.ulfmj.runtime.store;
