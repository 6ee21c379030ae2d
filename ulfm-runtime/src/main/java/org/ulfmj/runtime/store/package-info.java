/**
 * A rank's calls to the store of its job ({@link org.ulfmj.runtime.store.JobStore}): the way to the store, and the
 * waits for its answers.
 */
package org.ulfmj.runtime.store;
